#pragma once

#include <string>
#include <string_view>

namespace hotline::tests {

/// The sections of a condition variable's golden trace.
std::string condition_sections(std::string_view model);

}  // namespace hotline::tests
