#include "sim/workload/expression_parser.hpp"

#include <array>

#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"

namespace hotline::workload {
namespace {

constexpr std::size_t kLongestText = 2000;
constexpr std::size_t kDeepestNesting = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Counts the parentheses, signs and calls that are open.
class Nested {
 public:
  explicit Nested(std::size_t& depth) : depth_(depth) { ++depth_; }
  ~Nested() { --depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace

Expression ExpressionParser::parse() {
  result_.code_.clear();
  if (text_.size() > kLongestText) fail(0, "the formula is longer than 2000 characters");
  result_.unit_ = disjunction();
  skip_space();
  if (at_ != text_.size()) fail_here("an operator or the end");
  return std::move(result_);
}

Unit ExpressionParser::disjunction() {
  Unit left = conjunction();
  while (take_word("or")) {
    require_number(left, at_, "or");
    require_number(conjunction(), at_, "or");
    emit(Code::kOr);
  }
  return left;
}

Unit ExpressionParser::conjunction() {
  Unit left = negation();
  while (take_word("and")) {
    require_number(left, at_, "and");
    require_number(negation(), at_, "and");
    emit(Code::kAnd);
  }
  return left;
}

Unit ExpressionParser::negation() {
  if (!take_word("not")) return comparison();
  const Nested nested(nesting_);
  if (nesting_ > kDeepestNesting) fail(at_, "the formula is nested too deeply");
  require_number(negation(), at_, "not");
  emit(Code::kNot);
  return Unit::kNumber;
}

Unit ExpressionParser::comparison() {
  const Unit left = sum();
  Code code = Code::kEqual;
  bool inverted = false;
  skip_space();
  const std::size_t at = at_;
  if (!take_comparison(code, inverted)) return left;
  require_same(left, sum(), at);
  emit(code);
  if (inverted) emit(Code::kNot);
  return Unit::kNumber;
}

Unit ExpressionParser::sum() {
  const Unit left = product();
  while (true) {
    skip_space();
    const std::size_t at = at_;
    Code code = Code::kAdd;
    if (take("-")) {
      code = Code::kSubtract;
    } else if (!take("+")) {
      return left;
    }
    require_same(left, product(), at);
    emit(code);
  }
}

Unit ExpressionParser::product() {
  Unit left = sign();
  while (true) {
    skip_space();
    const std::size_t at = at_;
    Code code = Code::kMultiply;
    if (take("/")) {
      code = Code::kDivide;
    } else if (take("%")) {
      code = Code::kRemainder;
    } else if (!take("*")) {
      return left;
    }
    left = scaled(code, left, sign(), at);
    emit(code);
  }
}

Unit ExpressionParser::scaled(Code code, Unit left, Unit right, std::size_t at) {
  if (code == Code::kRemainder) {
    require_same(left, right, at);
    return left;
  }
  const bool both = left == Unit::kDuration && right == Unit::kDuration;
  if (code == Code::kMultiply) {
    if (both) fail(at, "two durations cannot be multiplied");
    return left == Unit::kDuration ? left : right;
  }
  if (both) return Unit::kNumber;
  if (right == Unit::kDuration) fail(at, "a number cannot be divided by a duration");
  return left;
}

Unit ExpressionParser::sign() {
  if (!take("-")) return primary();
  const Nested nested(nesting_);
  if (nesting_ > kDeepestNesting) fail(at_, "the formula is nested too deeply");
  const Unit unit = sign();
  emit(Code::kNegate);
  return unit;
}

Unit ExpressionParser::primary() {
  const Nested nested(nesting_);
  if (nesting_ > kDeepestNesting) fail(at_, "the formula is nested too deeply");
  if (take("(")) {
    const Unit unit = disjunction();
    if (!take(")")) fail_here("\")\"");
    return unit;
  }
  if (at_ < text_.size() && is_digit(text_[at_])) return number();
  if (at_ < text_.size() && is_letter(text_[at_])) return name();
  fail_here("a number, a duration, a variable or \"(\"");
}

Unit ExpressionParser::number() {
  const std::size_t from = at_;
  bool plain = true;
  while (at_ < text_.size() &&
         (is_digit(text_[at_]) || is_letter(text_[at_]) || text_[at_] == '.')) {
    plain = plain && is_digit(text_[at_]);
    ++at_;
  }
  const std::string_view literal = text_.substr(from, at_ - from);
  if (plain) {
    const auto parsed = input::parse_integer(literal);
    if (!parsed.value) fail(from, "\"" + std::string(literal) + "\" " + parsed.problem);
    emit(Code::kConstant, *parsed.value);
    return Unit::kNumber;
  }
  const auto parsed = input::parse_duration(literal);
  if (!parsed.value || parsed.value->ps() > static_cast<std::uint64_t>(INT64_MAX)) {
    fail(from, "\"" + std::string(literal) +
                   "\" is neither a whole number nor a duration such as 47ns or 1.5us");
  }
  emit(Code::kConstant, static_cast<std::int64_t>(parsed.value->ps()));
  return Unit::kDuration;
}

Unit ExpressionParser::name() {
  const std::size_t from = at_;
  const std::string_view word = take_name();
  if (take("(")) return call(word, from);
  const std::int64_t slot = scope_.find(word);
  if (slot < 0) {
    fail(from, "\"" + std::string(word) + "\" is no variable; " +
                   input::suggestion(word, scope_.names()));
  }
  const Scope::Variable& variable = scope_.variables()[static_cast<std::size_t>(slot)];
  emit(variable.shared ? Code::kShared : Code::kVariable, slot);
  return variable.unit;
}

Unit ExpressionParser::call(std::string_view function, std::size_t at) {
  if (function == "min") return extremes(Code::kMin);
  if (function == "max") return extremes(Code::kMax);
  if (function != "random") {
    fail(at, "\"" + std::string(function) + "\" is no function; " +
                 input::suggestion(function, {"min", "max", "random"}));
  }
  const Unit unit = disjunction();
  if (!take(")")) fail_here("\")\"");
  emit(Code::kRandom);
  return unit;
}

Unit ExpressionParser::extremes(Code code) {
  const Unit unit = disjunction();
  bool more = take(",");
  if (!more) fail_here("\",\" and another value");
  while (more) {
    const std::size_t at = at_;
    require_same(unit, disjunction(), at);
    emit(code);
    more = take(",");
  }
  if (!take(")")) fail_here("\",\" or \")\"");
  return unit;
}

void ExpressionParser::emit(Code code, std::int64_t value) {
  if (code == Code::kConstant || code == Code::kVariable || code == Code::kShared) {
    if (++stack_ > Expression::kDeepest) fail(at_, "the formula is nested too deeply");
  } else if (code != Code::kNegate && code != Code::kNot && code != Code::kRandom) {
    --stack_;
  }
  result_.code_.push_back({code, value});
}

void ExpressionParser::require_number(Unit unit, std::size_t at, std::string_view what) const {
  if (unit == Unit::kNumber) return;
  fail(at, "\"" + std::string(what) + "\" takes numbers, and this is a duration");
}

void ExpressionParser::require_same(Unit left, Unit right, std::size_t at) const {
  if (left != right) fail(at, "a number and a duration cannot be combined; write 100ns, not 100");
}

void ExpressionParser::skip_space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
    ++at_;
}

bool ExpressionParser::take(std::string_view token) {
  skip_space();
  if (text_.substr(at_, token.size()) != token) return false;
  at_ += token.size();
  skip_space();
  return true;
}

bool ExpressionParser::take_word(std::string_view word) {
  skip_space();
  if (text_.substr(at_, word.size()) != word) return false;
  const std::size_t after = at_ + word.size();
  if (after < text_.size() && (is_letter(text_[after]) || is_digit(text_[after]))) return false;
  at_ = after;
  skip_space();
  return true;
}

bool ExpressionParser::take_comparison(Code& code, bool& inverted) {
  struct Row {
    std::string_view token;
    Code code;
    bool inverted;
  };
  constexpr std::array<Row, 6> kRows{{{"==", Code::kEqual, false},
                                      {"!=", Code::kDiffers, false},
                                      {"<=", Code::kLessEqual, false},
                                      {">=", Code::kLess, true},
                                      {"<", Code::kLess, false},
                                      {">", Code::kLessEqual, true}}};
  for (const Row& row : kRows) {
    if (!take(row.token)) continue;
    code = row.code;
    inverted = row.inverted;
    return true;
  }
  return false;
}

std::string_view ExpressionParser::take_name() {
  const std::size_t from = at_;
  while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  return text_.substr(from, at_ - from);
}

void ExpressionParser::fail(std::size_t at, const std::string& message) const {
  throw ExpressionError(at, message);
}

void ExpressionParser::fail_here(const std::string& expected) const {
  if (at_ >= text_.size()) fail(at_, "the formula ends too early; expected " + expected);
  fail(at_, "unexpected \"" + std::string(1, text_[at_]) + "\"; expected " + expected);
}

}  // namespace hotline::workload
