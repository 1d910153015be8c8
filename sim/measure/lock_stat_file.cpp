#include "sim/measure/lock_stat_file.hpp"

#include <algorithm>
#include <optional>

#include "sim/input/quantity.hpp"

namespace hotline::measure {

namespace {

constexpr std::string_view kVersionLine = "lock_stat version ";
constexpr std::string_view kClassName = "class name";
constexpr std::string_view kBlanks = " \t\r";

/// A piece of a line and the column where it begins, from 1.
struct Token {
  std::string_view text;
  std::uint32_t column = 1;
};

Token trimmed(Token token) {
  const std::size_t begin = token.text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {{}, token.column};
  const std::size_t end = token.text.find_last_not_of(kBlanks) + 1;
  return {token.text.substr(begin, end - begin), token.column + static_cast<std::uint32_t>(begin)};
}

/// What lies from `begin` on.
Token rest(Token token, std::size_t begin) {
  return {token.text.substr(begin), token.column + static_cast<std::uint32_t>(begin)};
}

/// Takes the first word off `from`; empty if there is none.
Token next_word(Token& from) {
  from = trimmed(from);
  const std::size_t length = std::min(from.text.find_first_of(kBlanks), from.text.size());
  const Token word{from.text.substr(0, length), from.column};
  from = rest(from, length);
  return word;
}

bool consists_of(std::string_view text, char character) {
  return !text.empty() && text.find_first_not_of(character) == std::string_view::npos;
}

class Parser {
 public:
  Parser(const std::string& file, input::Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics) {}

  LockStatFile parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      parse_line(trimmed({text.substr(0, end), 1}));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!has_version_) error({{}, 1}, "the file has no line \"lock_stat version 0.4\"");
    return std::move(result_);
  }

 private:
  enum class Points : std::uint8_t { kNone, kWaiters, kHolders };

  void error(Token at, const std::string& message) {
    diagnostics_.error({file_, {std::max(line_, 1U), at.column}, {}}, message);
  }
  void warning(Token at, const std::string& message) {
    diagnostics_.warning({file_, {line_, at.column}, {}}, message);
  }

  void parse_line(Token line) {
    // A kernel whose lock debugging has switched itself off says so on top.
    if (line.text.empty() || line.text.starts_with("***")) return;
    if (!has_version_) {
      parse_version(line);
    } else if (line.text.starts_with(kClassName)) {
      parse_titles(rest(line, kClassName.size()));
    } else if (consists_of(line.text, '.')) {
      points_ = Points::kNone;
      has_class_ = false;
      skips_ = false;
    } else if (skips_ && line.text.find(" [<") != std::string_view::npos) {
      return;
    } else if (consists_of(line.text, '-')) {
      begin_points(line);
    } else if (line.text.find(" [<") != std::string_view::npos) {
      parse_point(line);
    } else {
      parse_class(line);
    }
  }

  void parse_version(Token line) {
    has_version_ = true;  // one message is enough
    if (!line.text.starts_with(kVersionLine)) {
      error(line, "expected \"lock_stat version 0.4\", found \"" + quoted(line.text) + "\"");
      return;
    }
    const Token version = trimmed(rest(line, kVersionLine.size()));
    result_.version = version.text;
    if (version.text != "0.3" && version.text != "0.4") {
      error(version, "version \"" + quoted(version.text) + "\" is not known; 0.3 and 0.4 are");
    }
  }

  void parse_titles(Token line) {
    for (const std::string_view title : kLockStatColumns) {
      const Token word = next_word(line);
      if (word.text == title) continue;
      error(word, word.text.empty() ? "the column " + std::string(title) + " is missing"
                                    : "expected the column " + std::string(title) + ", found \"" +
                                          quoted(word.text) + "\"");
      return;
    }
    check_end(line);
  }

  /// The first line of dashes below a class begins its waiters, the second its holders; those
  /// around the titles stand below no class.
  void begin_points(Token line) {
    if (!has_class_) return;
    if (points_ == Points::kHolders) {
      error(line, "a third list of contention points; a class has two");
      return;
    }
    points_ = points_ == Points::kNone ? Points::kWaiters : Points::kHolders;
  }

  void parse_class(Token line) {
    const std::size_t colon = line.text.rfind(':');
    if (colon == std::string_view::npos) {
      error(line, "expected \"NAME:\" and twelve numbers, found \"" + quoted(line.text) + "\"");
      return;
    }
    LockStatClass row;
    row.name = trimmed({line.text.substr(0, colon), line.column}).text;
    if (row.name.empty()) error(line, "the class has no name");
    column_ = 0;
    Token numbers = rest(line, colon + 1);
    row.con_bounces = count(numbers);
    row.contentions = count(numbers);
    row.wait = times(numbers);
    row.acq_bounces = count(numbers);
    row.acquisitions = count(numbers);
    row.hold = times(numbers);
    check_end(numbers);
    if (ok_) result_.classes.push_back(std::move(row));
    has_class_ = ok_;
    skips_ = !ok_;
    points_ = Points::kNone;
    ok_ = true;
  }

  /// The next number's word and its column's title; nothing, and a message, if the line is over.
  std::optional<Token> number(Token& line) {
    const Token word = next_word(line);
    ++column_;
    if (!word.text.empty()) return word;
    if (ok_) error(word, "the line ends before " + title());
    ok_ = false;
    return std::nullopt;
  }

  [[nodiscard]] std::string title() const { return std::string(kLockStatColumns[column_ - 1]); }

  std::uint64_t count(Token& line) {
    const auto word = number(line);
    if (!word) return 0;
    const auto parsed = input::parse_unsigned(word->text);
    if (parsed.value) return *parsed.value;
    error(*word, title() + ": \"" + quoted(word->text) + "\" is no number of times");
    ok_ = false;
    return 0;
  }

  engine::Duration time(Token& line) {
    const auto word = number(line);
    if (!word) return {};
    const auto parsed = input::parse_duration(std::string(word->text) + "us");
    if (parsed.value) return *parsed.value;
    error(*word,
          title() + ": \"" + quoted(word->text) + "\" is no time in microseconds such as 4.59");
    ok_ = false;
    return {};
  }

  LockStatTimes times(Token& line) {
    const Token begin = trimmed(line);
    LockStatTimes result;
    result.min = time(line);
    result.max = time(line);
    result.total = time(line);
    result.average = time(line);
    if (ok_ && (result.min > result.max || result.average > result.max)) {
      warning(begin, title().substr(0, 8) + ": the least or the average is above the greatest");
    }
    return result;
  }

  void parse_point(Token line) {
    if (points_ == Points::kNone || !has_class_) {
      error(line, "a contention point that no class with a line of dashes stands above");
      return;
    }
    const std::size_t bracket = line.text.rfind(" [<");
    const Token before = trimmed({line.text.substr(0, bracket), line.column});
    const std::size_t blank = before.text.find_last_of(kBlanks);
    Token after = rest(line, bracket + 3);
    const std::size_t close = after.text.find(">]");
    if (blank == std::string_view::npos || close == std::string_view::npos) {
      error(line,
            "expected \"NAME COUNT [<ADDRESS>] SYMBOL\", found \"" + quoted(line.text) + "\"");
      return;
    }
    const Token counted = rest(before, blank + 1);
    const auto parsed = input::parse_unsigned(counted.text);
    if (!parsed.value) error(counted, "\"" + quoted(counted.text) + "\" is no number of times");
    LockStatClass& row = result_.classes.back();
    const std::string_view name = trimmed({before.text.substr(0, blank), 1}).text;
    if (name != without_side(row.name)) {
      error(before, "a contention point of \"" + quoted(name) + "\" below the class \"" +
                        quoted(row.name) + "\"");
    }
    const std::string_view address = after.text.substr(0, close);
    if (address.empty() ||
        address.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
      error(after, "\"" + quoted(address) + "\" is no address");
    }
    const Token symbol = trimmed(rest(after, close + 2));
    if (symbol.text.empty()) error(symbol, "the symbol is missing");
    auto& points = points_ == Points::kWaiters ? row.waiters : row.holders;
    points.push_back({parsed.value.value_or(0), std::string(address), std::string(symbol.text)});
  }

  void check_end(Token line) {
    const Token extra = trimmed(line);
    if (extra.text.empty() || !ok_) return;
    error(extra, "expected the end of the line, found \"" + quoted(extra.text) + "\"");
    ok_ = false;
  }

  /// At most so much of a damaged line is repeated in a message.
  static std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string result(text.substr(0, kMost));
    for (char& character : result) {
      if (static_cast<unsigned char>(character) < ' ') character = '?';
    }
    return text.size() > kMost ? result + "..." : result;
  }

  const std::string& file_;
  input::Diagnostics& diagnostics_;
  LockStatFile result_;
  std::uint32_t line_ = 0;
  bool has_version_ = false;
  bool has_class_ = false;  // lines of dashes and points belong to it
  bool skips_ = false;      // the points of a class that could not be read
  Points points_ = Points::kNone;
  std::size_t column_ = 0;  // of the class under way
  bool ok_ = true;
};

}  // namespace

std::string_view without_side(std::string_view name) {
  const bool has_side = name.ends_with("-W") || name.ends_with("-R");
  return has_side ? name.substr(0, name.size() - 2) : name;
}

LockStatFile parse_lock_stat(std::string_view text, const std::string& file,
                             input::Diagnostics& diagnostics) {
  return Parser(file, diagnostics).parse(text);
}

}  // namespace hotline::measure
