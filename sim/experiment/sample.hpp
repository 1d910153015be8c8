#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/experiment/replication.hpp"

namespace hotline::experiment {

/// What is kept of one replication of a sweep: little enough to store thousands, and all that a
/// sweep's table, files and curves are made of.
struct Sample {
  std::string machine;  ///< its name
  std::uint32_t threads = 0;
  std::uint32_t cpus = 0;   ///< that ran threads
  engine::Duration length;  ///< measured simulated time
  std::string work;         ///< name of the first kind of work; empty if nothing is counted
  std::uint64_t count = 0;  ///< units of it
  measure::Halves halves;
  double jain = 0;
  double min_over_max = 0;
  os::TimeAccounts accounts{};  ///< of all threads
  std::string hottest_line;
  engine::Duration hottest_stalled;  ///< waited for that line
  std::uint64_t events = 0;
  std::uint64_t fingerprint = 0;
  std::string stuck;  ///< who cannot go on, a line each

  /// Units of work a second.
  [[nodiscard]] double rate() const;
  friend bool operator==(const Sample&, const Sample&) = default;
};

[[nodiscard]] Sample sample_of(const workload::Scenario& scenario, const Replication& replication);

/// What the samples of one case say together.
struct Summary {
  measure::Interval rate;
  std::vector<double> rates;  ///< by replication
  double jain = 0;            ///< mean
  double min_over_max = 0;    ///< mean
  double drift = 0;           ///< of the rate, from the first to the second half of the time
  std::array<double, os::kAccounts>
      shares{};  ///< of all threads' time; sleep for a lock is waiting
  std::string hottest_line;
  double hottest_share = 0;  ///< of the time of all CPUs that ran threads
  std::uint64_t events = 0;
  std::uint64_t fingerprint = 0;
  std::string stuck;  ///< of the first replication that got stuck
};

[[nodiscard]] Summary summarise(std::span<const Sample> samples);

}  // namespace hotline::experiment
