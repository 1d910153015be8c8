#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/workload/expression.hpp"

namespace hotline::workload {

/// Recursive descent over the grammar of docs/workloads.md, from weak to strong binding:
/// or, and, not, comparison, sum, product, sign, primary. Emits postfix code and checks units.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  /// Throws ExpressionError.
  Expression parse();

 private:
  using Code = Expression::Code;

  Unit disjunction();
  Unit conjunction();
  Unit negation();
  Unit comparison();
  Unit sum();
  Unit product();
  Unit sign();
  Unit primary();
  Unit number();
  Unit name();
  Unit call(std::string_view function, std::size_t at);
  Unit extremes(Code code);

  void emit(Code code, std::int64_t value = 0);
  void require_number(Unit unit, std::size_t at, std::string_view what) const;
  void require_same(Unit left, Unit right, std::size_t at) const;
  Unit scaled(Code code, Unit left, Unit right, std::size_t at);

  void skip_space();
  bool take(std::string_view token);
  bool take_word(std::string_view word);
  bool take_comparison(Code& code, bool& inverted);
  std::string_view take_name();
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;
  [[noreturn]] void fail_here(const std::string& expected) const;

  std::string_view text_;
  const Scope& scope_;
  Expression result_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::size_t stack_ = 0;
};

}  // namespace hotline::workload
