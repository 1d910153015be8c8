#pragma once

#include <span>

#include "sim/model/model.hpp"

namespace hotline::models {

/// All models of the tree, locks first, in the order in which reports and help list them.
std::span<const model::Entry> built_in();

}  // namespace hotline::models
