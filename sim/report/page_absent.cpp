#include "sim/report/page.hpp"

/// What a build without node and npm has instead of the pages.
namespace hotline::report::detail {

std::string_view report_template() { return {}; }
std::string_view lesson_template() { return {}; }

}  // namespace hotline::report::detail
