#include "sim/report/page.hpp"

#include <algorithm>

#include <boost/json.hpp>

#include "sim/input/diagnostics.hpp"

namespace hotline::report {

namespace {

namespace json = boost::json;

/// Stands in a template where the data goes.
constexpr std::string_view kPlace = "/*results*/null";

[[noreturn]] void refuse(const std::string& file, input::Position position,
                         const std::string& message) {
  input::Diagnostics diagnostics;
  diagnostics.error({file, position, ""}, message);
  throw input::InputError(std::move(diagnostics));
}

input::Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<std::uint32_t>(lines + 1),
          static_cast<std::uint32_t>(offset - line_begin + 1)};
}

void check_results(std::string_view text, const std::string& file) {
  json::stream_parser parser;
  json::error_code error;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) parser.finish(error);
  if (error || read != text.size()) {
    refuse(file, position_of(text, read), "this is no JSON; expected what --json has written");
  }
  const json::value value = parser.release();
  const json::object* root = value.if_object();
  const json::value* tables = root == nullptr ? nullptr : root->if_contains("tables");
  const json::object* known = tables == nullptr ? nullptr : tables->if_object();
  const bool is_ours =
      known != nullptr && (known->contains("summary") || known->contains("points"));
  if (!is_ours) {
    refuse(file, {1, 1},
           "these are no results of a run: tables.summary is missing; expected what --json of "
           "hotline run, compare or sweep has written");
  }
}

/// Inside a script element neither "</script" nor "<!--" may occur.
std::string for_script(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '<') {
      safe += "\\u003c";
    } else {
      safe += letter;
    }
  }
  return safe;
}

std::string filled(std::string_view page, std::string_view json) {
  const std::size_t place = page.find(kPlace);
  std::string text(page.substr(0, place));
  text += for_script(json);
  text += page.substr(place + kPlace.size());
  return text;
}

}  // namespace

bool has_page() { return !detail::report_template().empty(); }

std::string results_page(std::string_view json, const std::string& file) {
  check_results(json, file);
  return filled(detail::report_template(), json);
}

std::string lesson_page(std::string_view json) { return filled(detail::lesson_template(), json); }

}  // namespace hotline::report
