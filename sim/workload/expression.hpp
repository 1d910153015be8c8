#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/random.hpp"

namespace hotline::workload {

/// What a value measures; a duration is counted in picoseconds.
enum class Unit : std::uint8_t { kNumber, kDuration };

/// The names that an expression may use, and the slot that each has at run time.
class Scope {
 public:
  struct Variable {
    std::string name;
    Unit unit = Unit::kNumber;
    bool built_in = false;
    bool shared = false;  ///< among all threads
  };

  /// Adds a variable; the slots are numbered in the order of adding. The name must be new, or empty
  /// for a slot that formulas of this scope cannot use.
  std::uint32_t add(std::string name, Unit unit, bool built_in = false, bool shared = false);
  /// The slot of a name, or -1.
  std::int64_t find(std::string_view name) const;
  const std::vector<Variable>& variables() const { return variables_; }
  std::vector<std::string> names() const;

 private:
  std::vector<Variable> variables_;
};

/// The text of an expression is wrong, or it cannot be evaluated.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t offset, const std::string& message)
      : std::runtime_error(message), offset_(offset) {}
  /// In the text, in bytes from 0.
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

/// A formula over whole numbers and durations, ready to be evaluated. docs/workloads.md has the
/// language; nothing in it can loop or grow, so every evaluation is short.
class Expression {
 public:
  /// The constant 0.
  Expression() : Expression(0) {}
  explicit Expression(std::int64_t constant, Unit unit = Unit::kNumber);

  /// Parses the whole text. Throws ExpressionError: bad syntax, unknown names, numbers and
  /// durations mixed up, or nested too deeply.
  static Expression parse(std::string_view text, const Scope& scope);

  Unit unit() const { return unit_; }
  /// True if it uses no variable and no chance.
  bool is_constant() const;

  /// `slots` are one thread's variables, `shared` those of all threads, at the same slots. Throws
  /// ExpressionError on a division by zero or a result beyond 64 bits.
  std::int64_t evaluate(std::span<const std::int64_t> slots, engine::Random& random,
                        std::span<const std::int64_t> shared = {}) const {
    if (code_.size() == 1) {  // nearly always: a constant or a variable
      const Instruction& only = code_.front();
      if (only.code == Code::kConstant) return only.value;
      return (only.code == Code::kVariable ? slots : shared)[static_cast<std::size_t>(only.value)];
    }
    return evaluate_all(slots, random, shared);
  }

  enum class Code : std::uint8_t {
    kConstant,
    kVariable,
    kShared,
    kNegate,
    kNot,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kEqual,
    kDiffers,
    kLess,
    kLessEqual,
    kAnd,
    kOr,
    kMin,
    kMax,
    kRandom,
  };
  struct Instruction {
    Code code = Code::kConstant;
    std::int64_t value = 0;  ///< constants: the value; variables: the slot
  };
  /// The deepest stack that an expression may need.
  static constexpr std::size_t kDeepest = 64;

 private:
  friend class ExpressionParser;
  std::int64_t evaluate_all(std::span<const std::int64_t> slots, engine::Random& random,
                            std::span<const std::int64_t> shared) const;

  std::vector<Instruction> code_;  // postfix
  Unit unit_ = Unit::kNumber;
};

}  // namespace hotline::workload
