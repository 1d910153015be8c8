#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/experiment/validation.hpp"

namespace hotline::experiment {

/// What is to be simulated for one set, and how its points come from that.
class ValidationPlan {
 public:
  /// Throws input::InputError.
  ValidationPlan(const ValidationSet& set, const workload::Library& library);

  /// In this order outcomes come back; a ping-pong has none.
  [[nodiscard]] const std::vector<Case>& cases() const { return cases_; }
  /// Ping-pongs, each of which can be run by itself and at any time.
  [[nodiscard]] std::size_t ping_pongs() const;
  void run_ping_pong(std::size_t index);

  /// The points, when all has been run.
  [[nodiscard]] std::vector<ValidationPoint> points(std::vector<Outcome> outcomes) const;

 private:
  using Row = input::DataTable::Row;

  void plan_rows();
  void plan_published();
  [[nodiscard]] workload::Overrides overrides_for(const Row& row) const;
  [[nodiscard]] std::string variant_for(const Row& row) const;
  [[nodiscard]] std::vector<ValidationPoint> published_points(std::vector<Outcome> outcomes) const;
  [[nodiscard]] ValidationPoint point_of(const Row& row, double simulated) const;
  void divide_by_references(std::vector<ValidationPoint>& points) const;
  [[nodiscard]] std::size_t reference_of(std::size_t index) const;
  [[noreturn]] void fail(const input::Position& position, const std::string& message) const;

  const ValidationSet& set_;
  std::vector<const Row*> rows_;
  std::optional<workload::Workload> workload_;
  std::vector<Needed> needed_;  // of a published set
  std::vector<Case> cases_;
  std::map<std::string, machine::Topology> topologies_;  // by name
  std::vector<double> one_ways_;                         // ns, by row
};

}  // namespace hotline::experiment
