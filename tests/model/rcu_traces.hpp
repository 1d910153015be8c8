#pragma once

#include <string>
#include <string_view>

namespace hotline::tests {

/// The operations of an RCU domain: of sections, and of all CPUs in grace periods.
std::string rcu_sections(std::string_view model);

}  // namespace hotline::tests
