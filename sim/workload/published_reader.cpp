#include "sim/workload/published_reader.hpp"

#include <algorithm>
#include <array>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/workload/document_reader.hpp"

// What was published about a workload.
namespace hotline::workload {

using input::MapReader;
using input::Value;

namespace {

/// Of the lock table and of the profile, by their names in measure::LockRow, FunctionRow and
/// CallerRow; those in nanoseconds have a unit in the file.
struct Column {
  std::string_view name;
  Quantity::Unit unit;
};

constexpr std::array<Column, 7> kLockColumns{{
    {"utilisation", Quantity::Unit::kPercent},
    {"contention", Quantity::Unit::kPercent},
    {"hold_mean", Quantity::Unit::kNanoseconds},
    {"hold_max", Quantity::Unit::kNanoseconds},
    {"wait_mean", Quantity::Unit::kNanoseconds},
    {"wait_max", Quantity::Unit::kNanoseconds},
    {"cpu_share", Quantity::Unit::kPercent},
}};
constexpr std::array<Column, 3> kFunctionColumns{{
    {"share", Quantity::Unit::kPercent},
    {"call_mean", Quantity::Unit::kNanoseconds},
    {"call_max", Quantity::Unit::kNanoseconds},
}};
constexpr std::array<Column, 2> kCallerColumns{
    {{"share", Quantity::Unit::kPercent}, {"of_function", Quantity::Unit::kPercent}}};

template <std::size_t N>
void check_column(MapReader& map, const Quantity& quantity, const std::array<Column, N>& columns) {
  std::vector<std::string> known;
  known.reserve(N);
  for (const Column& one : columns) known.emplace_back(one.name);
  if (!map.has("column")) {
    map.whole().error("needs a column: " + input::suggestion("", known));
  } else if (std::find(known.begin(), known.end(), quantity.column) == known.end()) {
    map.error_at("column", "\"" + quantity.column + "\" is no column of that table; " +
                               input::suggestion(quantity.column, known));
  }
}

/// Keys that only make sense beside another.
void check_keys(MapReader& map, const Quantity& quantity) {
  using Kind = Quantity::Kind;
  const auto only = [&](std::string_view key, bool sensible, std::string_view beside) {
    if (map.has(key) && !sensible) {
      map.error_at(key, "makes no sense without " + std::string(beside));
    }
  };
  only("amount", quantity.kind == Kind::kTime, "time");
  only("per_thread", quantity.kind == Kind::kTime, "time");
  only("caller", quantity.kind == Kind::kFunction, "function");
  only("column", quantity.kind == Kind::kLock || quantity.kind == Kind::kFunction,
       "lock or function");
  only("of", quantity.kind == Kind::kShare, "share");
  if (quantity.kind == Kind::kShare && quantity.of.empty()) {
    map.whole().error("a share needs key \"of\"");
  }
  if (quantity.kind == Kind::kLock) check_column(map, quantity, kLockColumns);
  if (quantity.kind != Kind::kFunction) return;
  if (quantity.caller.empty()) {
    check_column(map, quantity, kFunctionColumns);
  } else {
    check_column(map, quantity, kCallerColumns);
  }
}

void read_long_form(MapReader& map, Quantity& quantity) {
  using Kind = Quantity::Kind;
  std::size_t kinds = 0;
  const auto kind = [&](std::string_view key, Kind meaning, std::string_view description) {
    const auto name = map.find(key, input::text(), description);
    if (!name) return;
    ++kinds;
    quantity.kind = meaning;
    quantity.name = *name;
  };
  kind("time", Kind::kTime, "how long work of this kind takes");
  kind("lock", Kind::kLock, "a lock, as the lock table names it");
  kind("function", Kind::kFunction, "a function of the profile");
  kind("share", Kind::kShare, "how much work of this kind is done for one of another");
  quantity.amount = map.get("amount", input::decimal(0), 1.0, "of the work whose time is meant");
  quantity.per_thread =
      map.get("per_thread", input::boolean(), false, "each thread does that amount");
  quantity.column = map.get("column", input::text(), "", "of the lock table or profile");
  quantity.caller = map.get("caller", input::text(), "", "only as called by this function");
  quantity.of = map.get("of", input::text(), "", "the other kind of work of a share");
  if (map.is_dry()) return;
  if (kinds == 1) {
    check_keys(map, quantity);
  } else {
    map.whole().error("must have one of time, lock, function and share");
  }
}

/// A ratio or what has no unit as a number, a time as one with its unit.
double read_value(MapReader& figure, bool is_time) {
  double found = 0;
  figure.require_value("value", "the figure: a number, or a time with its unit",
                       [&](const Value& value) {
                         if (is_time || value.is_dry()) {
                           if (const auto time = value.as(input::duration())) found = time->ns();
                         }
                         if (!is_time || value.is_dry()) {
                           if (const auto number = value.as(input::decimal())) found = *number;
                         }
                       });
  return found;
}

Published read_figure(MapReader& map) {
  Published figure = read_figure_asked(map);
  figure.value =
      read_value(map, !figure.baseline && figure.quantity.unit() == Quantity::Unit::kNanoseconds);
  figure.source = map.require("source", input::text(), "where it was published");
  figure.informational = map.get("informational", input::boolean(), false,
                                 "of another form or base: shown, not compared");
  figure.calibrated = map.get("calibrated", input::boolean(), false,
                              "the workload was calibrated on it: no prediction");
  return figure;
}

}  // namespace

Published read_figure_asked(MapReader& map) {
  Published figure;
  figure.name = map.require("name", input::text(), "what the figure is");
  figure.variant = map.require("variant", input::text(), "of which variant");
  figure.baseline = map.find("over", input::text(), "for a ratio: over which variant");
  figure.quantity = read_quantity(map);
  map.map("at", "at which point", [&](MapReader& at) {
    figure.threads =
        at.find("threads", input::integer<std::uint32_t>(1, 1'000'000), "number of threads");
  });
  return figure;
}

Quantity read_quantity(MapReader& figure) {
  Quantity quantity;
  figure.value("quantity", "a kind of work (its rate), or a time or a column of a table",
               [&](const Value& value) {
                 if (value.may_be_map()) {
                   value.map([&](MapReader& map) { read_long_form(map, quantity); });
                 }
                 if (value.is_dry() || !value.may_be_map()) {
                   if (const auto work = value.as(input::text())) quantity.name = *work;
                 }
               });
  return quantity;
}

Quantity::Unit Quantity::unit() const {
  if (kind == Kind::kRate) return Unit::kPerSecond;
  if (kind == Kind::kTime) return Unit::kNanoseconds;
  if (kind == Kind::kShare) return Unit::kRatio;
  const auto among = [&](const auto& columns) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& one) { return one.name == column; });
    return found == columns.end() ? Unit::kPercent : found->unit;
  };
  return kind == Kind::kLock ? among(kLockColumns) : among(kFunctionColumns);
}

void DocumentReader::read_published(MapReader& map) {
  map.value("published", "figures that somebody published", [&](const Value& list) {
    list.list([&](const Value& one) {
      one.map([&](MapReader& inside) {
        document_.published.push_back(read_figure(inside));
        if (!inside.is_dry()) check_published(inside, document_.published.back());
      });
    });
  });
}

void DocumentReader::check_published(const MapReader& map, const Published& figure) const {
  if (map.has("variant")) check_variant(map, "variant", figure.variant);
  if (figure.baseline) check_variant(map, "over", *figure.baseline);
}

void DocumentReader::check_variant(const MapReader& map, std::string_view key,
                                   const std::string& name) const {
  const bool known =
      name == "base" || std::any_of(document_.variants.begin(), document_.variants.end(),
                                    [&](const Variant& variant) { return variant.name == name; });
  if (!known) map.error_at(key, "there is no variant \"" + name + "\"");
}

}  // namespace hotline::workload
