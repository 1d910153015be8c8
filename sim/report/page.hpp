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

/// The page of a lesson, made from what lesson_json() has written. Needs has_page().
[[nodiscard]] std::string lesson_page(std::string_view json);

/// What to say where has_page() is false.
inline constexpr const char* kNoPage =
    "this build cannot make pages, because node and npm were not found when it was configured; "
    "install them (./bootstrap packages) and build again";

namespace detail {
/// Pages with all scripts and styles and an empty place for their data; empty in a build without
/// node. Made at build time by page/build.mjs.
[[nodiscard]] std::string_view report_template();
[[nodiscard]] std::string_view lesson_template();
}  // namespace detail

}  // namespace hotline::report
