#pragma once

#include <string_view>

#include "sim/input/document.hpp"

namespace hotline::input {

/// Parses YAML text, already checked to be text, into a tree; problems go to `diagnostics`.
Node build_tree(std::string_view text, std::string_view name, Diagnostics& diagnostics,
                const Limits& limits);

}  // namespace hotline::input
