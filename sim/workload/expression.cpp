#include "sim/workload/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/workload/expression_parser.hpp"

namespace hotline::workload {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void fail_overflow() {
  throw ExpressionError(0, "the result does not fit into 64 bits");
}

std::int64_t divide(std::int64_t left, std::int64_t right, bool remainder) {
  if (right == 0) throw ExpressionError(0, "division by zero");
  if (left == kLeast && right == -1) fail_overflow();
  return remainder ? left % right : left / right;
}

std::int64_t calculate(std::int64_t left, std::int64_t right, Expression::Code code) {
  std::int64_t result = 0;
  bool overflow = false;
  if (code == Expression::Code::kAdd) {
    overflow = __builtin_add_overflow(left, right, &result);
  } else if (code == Expression::Code::kSubtract) {
    overflow = __builtin_sub_overflow(left, right, &result);
  } else {
    overflow = __builtin_mul_overflow(left, right, &result);
  }
  if (overflow) fail_overflow();
  return result;
}

std::int64_t apply(Expression::Code code, std::int64_t left, std::int64_t right) {
  using Code = Expression::Code;
  switch (code) {
    case Code::kDivide:
      return divide(left, right, false);
    case Code::kRemainder:
      return divide(left, right, true);
    case Code::kEqual:
      return left == right ? 1 : 0;
    case Code::kDiffers:
      return left != right ? 1 : 0;
    case Code::kLess:
      return left < right ? 1 : 0;
    case Code::kLessEqual:
      return left <= right ? 1 : 0;
    case Code::kAnd:
      return left != 0 && right != 0 ? 1 : 0;
    case Code::kOr:
      return left != 0 || right != 0 ? 1 : 0;
    case Code::kMin:
      return std::min(left, right);
    case Code::kMax:
      return std::max(left, right);
    default:
      return calculate(left, right, code);
  }
}

std::int64_t random_below(std::int64_t bound, engine::Random& random) {
  if (bound <= 0) throw ExpressionError(0, "random() takes a bound above zero");
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

std::int64_t apply(Expression::Code code, std::int64_t operand, engine::Random& random) {
  if (code == Expression::Code::kRandom) return random_below(operand, random);
  if (code == Expression::Code::kNot) return operand == 0 ? 1 : 0;
  return calculate(0, operand, Expression::Code::kSubtract);
}

bool is_unary(Expression::Code code) {
  using Code = Expression::Code;
  return code == Code::kNegate || code == Code::kNot || code == Code::kRandom;
}

}  // namespace

std::uint32_t Scope::add(std::string name, Unit unit, bool built_in, bool shared) {
  variables_.push_back({std::move(name), unit, built_in, shared});
  return static_cast<std::uint32_t>(variables_.size() - 1);
}

std::int64_t Scope::find(std::string_view name) const {
  if (name.empty()) return -1;
  for (std::size_t slot = 0; slot < variables_.size(); ++slot) {
    if (variables_[slot].name == name) return static_cast<std::int64_t>(slot);
  }
  return -1;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all;
  for (const Variable& variable : variables_) {
    if (!variable.name.empty()) all.push_back(variable.name);
  }
  return all;
}

Expression::Expression(std::int64_t constant, Unit unit)
    : code_{{Code::kConstant, constant}}, unit_(unit) {}

Expression Expression::parse(std::string_view text, const Scope& scope) {
  return ExpressionParser(text, scope).parse();
}

bool Expression::is_constant() const {
  return std::none_of(code_.begin(), code_.end(), [](const Instruction& instruction) {
    return instruction.code == Code::kVariable || instruction.code == Code::kShared ||
           instruction.code == Code::kRandom;
  });
}

std::int64_t Expression::evaluate_all(std::span<const std::int64_t> slots, engine::Random& random,
                                      std::span<const std::int64_t> shared) const {
  std::array<std::int64_t, kDeepest> stack;
  std::size_t top = 0;
  for (const Instruction& instruction : code_) {
    if (instruction.code == Code::kConstant) {
      stack[top++] = instruction.value;
    } else if (instruction.code == Code::kVariable) {
      stack[top++] = slots[static_cast<std::size_t>(instruction.value)];
    } else if (instruction.code == Code::kShared) {
      stack[top++] = shared[static_cast<std::size_t>(instruction.value)];
    } else if (is_unary(instruction.code)) {
      stack[top - 1] = apply(instruction.code, stack[top - 1], random);
    } else {
      --top;
      stack[top - 1] = apply(instruction.code, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

}  // namespace hotline::workload
