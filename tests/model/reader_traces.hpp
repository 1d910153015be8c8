#pragma once

#include <string>
#include <string_view>

#include "tests/model/rig.hpp"

namespace hotline::tests {

/// The operations of a lock that readers share: each side alone, and each waiting for the other.
/// `title` ends every heading.
std::string shared_lock_sections(std::string_view model, const std::string& title,
                                 const model::ParamValues& params);

/// The machine of golden traces: stores are performed in program order, so that the trace is the
/// program.
machine::Description traced_machine();

}  // namespace hotline::tests
