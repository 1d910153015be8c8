#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/diagnostics.hpp"
#include "sim/input/figure.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::experiment {

/// A figure of a workload or its machine that may be varied between two values.
struct Parameter {
  enum class Unit : std::uint8_t { kNanoseconds, kCycles, kPercent, kGigahertz, kNone };

  /// Where it stands: aliases of one figure are one parameter, and so are the shortest and the
  /// longest way of one hop, which are scaled together.
  struct Place {
    std::string path;
    double factor = 1;  ///< of the value
  };

  std::string name;  ///< "hold", "machine.core.fill"
  std::vector<Place> places;
  Unit unit = Unit::kNone;
  bool is_whole = false;  ///< a count
  double value = 0;       ///< as the files have it
  double least = 0;
  double most = 0;
  input::Position position;  ///< of the value in its file

  /// A value as the language spells it, to a thousandth of its unit; counts are rounded.
  [[nodiscard]] std::string text(double number) const;
  /// `share` of the way from the least to the most.
  [[nodiscard]] double at(double share) const { return least + (most - least) * share; }
};

/// The ranges that a workload states, and those of the inferred figures of its machine.
[[nodiscard]] std::vector<Parameter> inferred_parameters(const workload::Workload& workload,
                                                         bool with_machine = true);

/// Reads "path, hold=50ns..2us": names with ranges of their own, or as the workload states them.
/// Throws input::InputError.
[[nodiscard]] std::vector<Parameter> parse_parameters(std::string_view text,
                                                      std::string_view option,
                                                      const workload::Workload& workload);

/// The same for figures of a machine by their paths: "core.fill, home.look_up=2ns..20ns".
[[nodiscard]] std::vector<Parameter> parse_figures(std::string_view text, std::string_view option,
                                                   const input::Figures& figures);

/// The inferred parts of a transfer that state a range; aliases of one figure are one parameter.
[[nodiscard]] std::vector<Parameter> inferred_legs(const input::Figures& figures);

/// The workload's own values changed to `values`, one a parameter.
[[nodiscard]] workload::Overrides overrides_for(const workload::Workload& workload,
                                                std::span<const Parameter> parameters,
                                                std::span<const double> values);

}  // namespace hotline::experiment
