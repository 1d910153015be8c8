#include "tests/style/tree.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>

namespace hotline::tests::style {
namespace {

bool is_of_interest(const std::filesystem::path& path) {
  const auto extension = path.extension();
  return extension == ".cpp" || extension == ".hpp" || extension == ".md" ||
         path.filename() == "CMakeLists.txt";
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// The end of a quoted literal whose opening quote stands at `start`: one past the closing quote.
std::size_t end_of_quoted(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

// The end of a raw string whose opening quote stands at `start`.
std::size_t end_of_raw(std::string_view text, std::size_t start) {
  const std::size_t open = text.find('(', start);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(start + 1, open - start - 1)) + "\"";
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

std::size_t end_of_comment(std::string_view text, std::size_t start) {
  const bool is_line = text[start + 1] == '/';
  const std::size_t end = text.find(is_line ? "\n" : "*/", start + 2);
  if (end == std::string_view::npos) return text.size();
  return is_line ? end : end + 2;
}

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

enum class Span { kCode, kComment, kString, kRawString };

// What begins at `i`. A quote after a word character is a digit separator (1'000), not a literal.
Span span_at(std::string_view text, std::size_t i) {
  const char next = i + 1 < text.size() ? text[i + 1] : '\0';
  const char before = i > 0 ? text[i - 1] : ' ';
  if (text[i] == '/' && (next == '/' || next == '*')) return Span::kComment;
  if (text[i] == '"') return before == 'R' ? Span::kRawString : Span::kString;
  if (text[i] == '\'' && !is_word(before)) return Span::kString;
  return Span::kCode;
}

std::size_t end_of(Span span, std::string_view text, std::size_t start) {
  switch (span) {
    case Span::kComment:
      return end_of_comment(text, start);
    case Span::kString:
      return end_of_quoted(text, start);
    case Span::kRawString:
      return end_of_raw(text, start);
    case Span::kCode:
      break;
  }
  return start + 1;
}

// Blanks comments, and with `strings` the insides of literals too.
std::string blanked(std::string_view text, bool strings) {
  std::string result(text);
  for (std::size_t i = 0; i < text.size();) {
    const Span span = span_at(text, i);
    const std::size_t end = end_of(span, text, i);
    if (span == Span::kComment) blank(result, i, end);
    if (strings && (span == Span::kString || span == Span::kRawString)) {
      blank(result, i + 1, end - 1);
    }
    i = end;
  }
  return result;
}

}  // namespace

Tree read_tree(const std::filesystem::path& root) {
  Tree tree;
  for (const char* top : {"sim", "models", "tests", "docs/models"}) {
    if (!std::filesystem::is_directory(root / top)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file() || !is_of_interest(entry.path())) continue;
      const std::string path = entry.path().lexically_relative(root).generic_string();
      tree.push_back({path, read_file(entry.path())});
    }
  }
  std::sort(tree.begin(), tree.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return tree;
}

std::string to_text(const Violations& violations) {
  std::string text;
  for (const auto& violation : violations) {
    text += violation.path + ":" + std::to_string(violation.line) + ": " + violation.message + "\n";
  }
  return text;
}

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex kInclude(R"(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"])",
                                   std::regex::ECMAScript | std::regex::multiline);
  const std::string code = blanked(text, false);
  std::vector<Include> includes;
  for (std::sregex_iterator match(code.begin(), code.end(), kInclude), end; match != end; ++match) {
    const auto offset = static_cast<std::size_t>(match->position(1));
    includes.push_back({line_at(code, offset), (*match)[2].str(), (*match)[1].str() == "<"});
  }
  return includes;
}

std::string code_only(std::string_view text) { return blanked(text, true); }

std::size_t line_at(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

bool is_cpp(std::string_view path) { return path.ends_with(".cpp") || path.ends_with(".hpp"); }

std::string folder_of(std::string_view path) {
  return std::filesystem::path(path).parent_path().generic_string();
}

std::string stem_of(std::string_view path) {
  return std::filesystem::path(path).stem().generic_string();
}

}  // namespace hotline::tests::style
