#include "sim/input/types.hpp"

#include "sim/input/suggest.hpp"

namespace hotline::input {

std::optional<std::string> Text::read(const Value& value) const {
  const auto found = detail::scalar(value, "a text");
  if (!found) return std::nullopt;
  return std::string(*found);
}

Declaration Text::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kText;
  return form;
}

std::optional<bool> Boolean::read(const Value& value) const {
  const auto found = detail::scalar(value, "true or false");
  if (!found) return std::nullopt;
  if (!value.node()->quoted) {
    if (*found == "true") return true;
    if (*found == "false") return false;
  }
  detail::reject(value, "is not true or false");
  return std::nullopt;
}

Declaration Boolean::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kBoolean;
  return form;
}

std::optional<double> Decimal::read(const Value& value) const {
  const auto found = detail::scalar(value, "a number");
  if (!found) return std::nullopt;
  const auto parsed = parse_decimal(*found);
  if (!parsed.value) {
    detail::reject(value, parsed.problem);
    return std::nullopt;
  }
  const bool too_small = *parsed.value < least;
  if (too_small || *parsed.value > most) {
    detail::reject(value, detail::out_of_bounds(too_small, to_text(too_small ? least : most)));
    return std::nullopt;
  }
  return parsed.value;
}

Declaration Decimal::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kNumber;
  if (least > std::numeric_limits<double>::lowest()) form.least = least;
  if (most < std::numeric_limits<double>::max()) form.most = most;
  return form;
}

namespace detail {
namespace {

template <class T>
std::optional<T> within(const Value& value, const Parsed<T>& parsed, T least, T most) {
  if (!parsed.value) {
    reject(value, parsed.problem);
    return std::nullopt;
  }
  const bool too_small = *parsed.value < least;
  if (too_small || *parsed.value > most) {
    reject(value, out_of_bounds(too_small, std::to_string(too_small ? least : most)));
    return std::nullopt;
  }
  return parsed.value;
}

}  // namespace

std::optional<std::string_view> scalar(const Value& value, std::string_view expected) {
  const Node& node = *value.node();
  if (node.is_scalar() && !node.text.empty()) return node.text;
  value.error(node.found() + " stands here; expected " + std::string(expected));
  return std::nullopt;
}

void reject(const Value& value, const std::string& problem) {
  value.error(value.node()->found() + " " + problem);
}

std::optional<std::int64_t> read_signed(const Value& value, std::int64_t least, std::int64_t most) {
  const auto found = scalar(value, "a whole number");
  if (!found) return std::nullopt;
  return within(value, parse_integer(*found), least, most);
}

std::optional<std::uint64_t> read_unsigned(const Value& value, std::uint64_t least,
                                           std::uint64_t most) {
  const auto found = scalar(value, "a whole number");
  if (!found) return std::nullopt;
  if (found->starts_with('-') && parse_integer(*found).value) {
    reject(value, out_of_bounds(true, std::to_string(least)));
    return std::nullopt;
  }
  return within(value, parse_unsigned(*found), least, most);
}

std::optional<std::size_t> read_choice(const Value& value,
                                       const std::vector<std::string>& spellings) {
  std::string expected;
  for (const std::string& spelling : spellings) {
    expected += (expected.empty() ? "" : ", ") + spelling;
  }
  expected = "one of " + expected;
  const auto found = scalar(value, expected);
  if (!found) return std::nullopt;
  for (std::size_t i = 0; i < spellings.size(); ++i) {
    if (spellings[i] == *found) return i;
  }
  const std::string near = nearest(*found, spellings);
  reject(value, "is not known; expected " + expected +
                    (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
  return std::nullopt;
}

std::string out_of_bounds(bool too_small, const std::string& bound) {
  return too_small ? "is below the smallest allowed value " + bound
                   : "is above the largest allowed value " + bound;
}

}  // namespace detail

}  // namespace hotline::input
