#include "sim/experiment/figure.hpp"

#include <algorithm>

#include "sim/measure/lock_stats.hpp"
#include "sim/measure/rows.hpp"

namespace hotline::experiment {

using measure::Measurement;
using workload::Quantity;

namespace {

constexpr double kNanosecondsPerSecond = 1e9;

/// A column of a row by its name; durations in nanoseconds.
template <class Row>
std::optional<double> column_of(const Row& row, const std::string& column) {
  const std::vector<measure::Field> fields = measure::fields_of<Row>();
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const measure::Field& f) { return f.name == column; });
  if (field == fields.end()) return std::nullopt;
  const measure::Value value =
      measure::values_of(row)[static_cast<std::size_t>(field - fields.begin())];
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* duration = std::get_if<engine::Duration>(&value)) return duration->ns();
  return std::nullopt;
}

/// How much work of a kind was done; of the first kind without a name.
std::optional<double> work_done(const std::string& name, const Measurement& measurement) {
  const auto work = std::find_if(
      measurement.works.begin(), measurement.works.end(),
      [&](const measure::WorkEntry& entry) { return name.empty() || entry.name == name; });
  if (work == measurement.works.end()) return std::nullopt;
  return static_cast<double>(work->count);
}

/// Units of work a nanosecond.
std::optional<double> pace(const Quantity& quantity, const Measurement& measurement) {
  const auto done = work_done(quantity.name, measurement);
  if (!done || measurement.length == engine::Duration()) return std::nullopt;
  return *done / measurement.length.ns();
}

std::optional<double> share(const Quantity& quantity, const Measurement& measurement) {
  const auto part = work_done(quantity.name, measurement);
  const auto whole = work_done(quantity.of, measurement);
  if (!part || !whole || *whole == 0) return std::nullopt;
  return *part / *whole;
}

std::optional<double> time_of(const Quantity& quantity, const Measurement& measurement) {
  const auto found = pace(quantity, measurement);
  if (!found || *found == 0) return std::nullopt;
  const double by = quantity.per_thread ? static_cast<double>(measurement.threads.size()) : 1;
  return quantity.amount * by / *found;
}

std::optional<double> lock_figure(const Quantity& quantity, const Measurement& measurement) {
  for (const measure::LockRow& row : measure::lock_rows(measurement.locks, measurement.window())) {
    if (row.lock == quantity.name) return column_of(row, quantity.column);
  }
  return std::nullopt;
}

std::optional<double> function_figure(const Quantity& quantity, const Measurement& measurement) {
  if (!quantity.caller.empty()) {
    for (const measure::CallerRow& row : measure::caller_rows(measurement)) {
      if (row.function == quantity.name && row.caller == quantity.caller) {
        return column_of(row, quantity.column);
      }
    }
    return std::nullopt;
  }
  for (const measure::FunctionRow& row : measure::function_rows(measurement)) {
    if (row.function == quantity.name) return column_of(row, quantity.column);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> figure_of(const Quantity& quantity, const Measurement& measurement) {
  switch (quantity.kind) {
    case Quantity::Kind::kRate: {
      const auto found = pace(quantity, measurement);
      return found ? std::optional(*found * kNanosecondsPerSecond) : std::nullopt;
    }
    case Quantity::Kind::kTime:
      return time_of(quantity, measurement);
    case Quantity::Kind::kLock:
      return lock_figure(quantity, measurement);
    case Quantity::Kind::kFunction:
      return function_figure(quantity, measurement);
    case Quantity::Kind::kShare:
      return share(quantity, measurement);
  }
  return std::nullopt;
}

}  // namespace hotline::experiment
