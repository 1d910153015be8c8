#include "sim/workload/formula.hpp"

namespace hotline::workload {
namespace {

constexpr std::string_view kExample[] = {"a number or formula such as 4 or threads / 2",
                                         "a duration or formula such as 100ns or 2 * critical"};

std::string_view example(const std::optional<Unit>& unit) {
  return kExample[unit == Unit::kDuration ? 1 : 0];
}

void report(const input::Value& value, std::size_t offset, const std::string& message) {
  input::Place place = value.place();
  place.position.column += static_cast<std::uint32_t>(offset) + (value.node()->quoted ? 1 : 0);
  value.reading().diagnostics.error(std::move(place), message);
}

}  // namespace

std::optional<Expression> parse_formula(const input::Value& value, std::string_view text,
                                        std::size_t offset, const Formula& formula) {
  try {
    Expression expression = Expression::parse(text, *formula.scope);
    if (!formula.unit || expression.unit() == *formula.unit) return expression;
    const bool is_number = expression.unit() == Unit::kNumber;
    std::string message =
        "\"" + std::string(text) + "\" is a " + (is_number ? "number" : "duration");
    if (is_number) message += " and has no unit";
    report(value, offset, message + "; expected " + std::string(example(formula.unit)));
  } catch (const ExpressionError& error) {
    report(value, offset + error.offset(), error.what());
  }
  return std::nullopt;
}

std::optional<Expression> Formula::read(const input::Value& value) const {
  const auto found = input::detail::scalar(value, example(unit));
  if (!found) return std::nullopt;
  return parse_formula(value, *found, 0, *this);
}

input::Declaration Formula::declare() const {
  input::Declaration text;
  text.kind = input::Declaration::Kind::kText;
  if (unit == Unit::kDuration) return text;
  input::Declaration form;
  form.kind = input::Declaration::Kind::kInteger;
  form.allow(std::move(text));
  return form;
}

std::string Formula::print(const Expression& expression) const {
  if (!expression.is_constant()) return {};
  engine::Random unused(0, "formula");
  const std::int64_t value = expression.evaluate({}, unused);
  if (expression.unit() == Unit::kNumber) return std::to_string(value);
  return input::to_text(engine::Duration::from_ps(static_cast<std::uint64_t>(value)));
}

}  // namespace hotline::workload
