#include "sim/report/page.hpp"

/// What a build without node and npm has instead of the page.
namespace hotline::report::detail {

std::string_view page_template() { return {}; }

}  // namespace hotline::report::detail
