#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/fit_data.hpp"
#include "sim/experiment/hammer.hpp"
#include "sim/experiment/ping_pong.hpp"
#include "sim/input/diagnostics.hpp"
#include "sim/machine/topology.hpp"

namespace hotline::experiment {

/// Pairs that are equally far apart; their ping-pongs are one distribution, since nobody knows
/// where on the die a core of a measured matrix lies.
struct PairClass {
  std::string distance;  ///< "same socket"
  std::string home;      ///< "local", "remote", or "any"
  std::vector<Pairing> pairs;
};

/// What one measurement is of: a quantile of a class's ping-pongs, or a contended operation.
struct LatencyPoint {
  std::optional<std::size_t> pair_class;
  double quantile = 0;
  Hammer hammer = Hammer::kAdd;
  FitRow row;
};

/// What a machine's legs are fitted to.
struct LatencyData {
  std::vector<PairClass> classes;
  std::vector<LatencyPoint> points;
};

/// Adds a core-to-core matrix, ns one way: a square of numbers as core-to-core-latency writes it
/// (row and column are CPUs of `topology`; cells of one half may be empty), or a table with a row a
/// distance class and the columns class and median_ns, which may have home or line_home, p5_ns,
/// p95_ns, and machine, of which the rows are taken that say `machine`. Problems go to
/// `diagnostics`.
void add_matrix(const std::filesystem::path& file, const std::string& machine,
                const machine::Topology& topology, LatencyData& data,
                input::Diagnostics& diagnostics);

/// Adds a curve of contended operations on one word: columns threads, one of ns (an operation,
/// system-wide), ns_per_thread and per_second, and maybe operation.
void add_curve(const std::filesystem::path& file, const machine::Topology& topology,
               LatencyData& data, input::Diagnostics& diagnostics);

/// Marks what is to be predicted: "threads>=8", "class==other socket", "statistic==p95".
void hold_out(const std::string& text, LatencyData& data, input::Diagnostics& diagnostics);

}  // namespace hotline::experiment
