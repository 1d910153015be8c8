#pragma once

#include <string>
#include <string_view>

/// Web pages that need no network: the front end (folder page/) is part of this program.
namespace hotline::report {

/// False in a build without node and npm, which has no front end.
[[nodiscard]] bool has_page();

/// The page that shows results. `json` is what to_json() has written; throws input::InputError if
/// it is anything else, naming `file`. Needs has_page().
[[nodiscard]] std::string results_page(std::string_view json, const std::string& file);

namespace detail {
/// The page with all scripts and styles and an empty place for its data; empty in a build without
/// node. Made at build time by page/build.mjs.
[[nodiscard]] std::string_view page_template();
}  // namespace detail

}  // namespace hotline::report
