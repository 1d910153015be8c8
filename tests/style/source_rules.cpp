#include "tests/style/source_rules.hpp"

#include <algorithm>
#include <regex>

namespace hotline::tests::style {
namespace {

constexpr std::size_t kLongestFile = 400;

// One past the parenthesis that closes the one at `open`.
std::size_t end_of_parentheses(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return code.size();
}

// Calls report(offset, match) for every match of the pattern in the code of each C++ file.
template <class Report>
void for_each_match(const Tree& tree, const std::regex& pattern, Report report) {
  for (const auto& file : tree) {
    if (!is_cpp(file.path)) continue;
    const std::string code = code_only(file.text);
    for (std::sregex_iterator match(code.begin(), code.end(), pattern), end; match != end;
         ++match) {
      report(file, code, *match);
    }
  }
}

}  // namespace

Violations check_length(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    const auto lines =
        static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
    if (is_cpp(file.path) && lines > kLongestFile) {
      found.push_back({file.path, lines, "the file has more than 400 lines"});
    }
  }
  return found;
}

Violations check_co_await_in_condition(const Tree& tree) {
  static const std::regex kCondition(R"(\b(if|while|for|switch)\s*(constexpr\s*)?\()");
  static const std::regex kCoAwait(R"(\bco_await\b)");
  Violations found;
  for_each_match(tree, kCondition, [&](const auto& file, const auto& code, const auto& match) {
    const auto start = static_cast<std::size_t>(match.position());
    const std::size_t open = start + static_cast<std::size_t>(match.length()) - 1;
    const std::string condition = code.substr(open, end_of_parentheses(code, open) - open);
    if (std::regex_search(condition, kCoAwait)) {
      found.push_back(
          {file.path, line_at(code, start),
           "co_await in the condition of " + match[1].str() + "; name its result first"});
    }
  });
  return found;
}

Violations check_braced_awaiter(const Tree& tree) {
  static const std::regex kBraced(R"(\bco_await\s+[A-Za-z_][A-Za-z0-9_:]*\s*\{)");
  Violations found;
  for_each_match(tree, kBraced, [&](const auto& file, const auto& code, const auto& match) {
    found.push_back({file.path, line_at(code, static_cast<std::size_t>(match.position())),
                     "co_await of a braced awaiter; let a function return it"});
  });
  return found;
}

Violations check_awaiter_assertion(const Tree& tree) {
  static const std::regex kAwaiter(R"([^:]\bawait_suspend\s*\()");
  Violations found;
  for_each_match(tree, kAwaiter, [&](const auto& file, const auto& code, const auto& match) {
    const bool is_asserted = code.find("is_trivially_destructible") != std::string::npos;
    if (file.path.ends_with(".hpp") && !is_asserted) {
      found.push_back({file.path, line_at(code, static_cast<std::size_t>(match.position())),
                       "an awaiter without static_assert(std::is_trivially_destructible_v<...>)"});
    }
  });
  return found;
}

Violations check_pragma_once(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    if (file.path.ends_with(".hpp") && !file.text.starts_with("#pragma once\n")) {
      found.push_back({file.path, 1, "the header does not begin with #pragma once"});
    }
  }
  return found;
}

Violations check_unfinished_marks(const Tree& tree) {
  // Put together from halves, so that this file does not carry the marks it looks for.
  static const std::regex kMark(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X)\\b");
  Violations found;
  for (const auto& file : tree) {
    for (std::sregex_iterator match(file.text.begin(), file.text.end(), kMark), end; match != end;
         ++match) {
      found.push_back({file.path, line_at(file.text, static_cast<std::size_t>(match->position())),
                       "unfinished: " + match->str()});
    }
  }
  return found;
}

}  // namespace hotline::tests::style
