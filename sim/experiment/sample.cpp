#include "sim/experiment/sample.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/measure/fairness.hpp"
#include "sim/measure/rows.hpp"

namespace hotline::experiment {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

double share(engine::Duration part, double whole) {
  return whole == 0 ? 0 : static_cast<double>(part.ps()) / whole;
}

/// Adds up the time that was waited for each line that was a replication's hottest.
void summarise_lines(std::span<const Sample> samples, Summary& summary) {
  std::map<std::string, engine::Duration> stalled;
  double whole = 0;
  for (const Sample& sample : samples) {
    if (!sample.hottest_line.empty()) stalled[sample.hottest_line] += sample.hottest_stalled;
    whole += static_cast<double>(sample.length.ps()) * sample.cpus;
  }
  const auto hottest =
      std::max_element(stalled.begin(), stalled.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (hottest == stalled.end()) return;
  summary.hottest_line = hottest->first;
  summary.hottest_share = share(hottest->second, whole);
}

void summarise_accounts(std::span<const Sample> samples, Summary& summary) {
  os::TimeAccounts sum{};
  double whole = 0;
  for (const Sample& sample : samples) {
    for (std::size_t a = 0; a < os::kAccounts; ++a) sum[a] += sample.accounts[a];
    whole += static_cast<double>(sample.length.ps()) * sample.threads;
  }
  for (std::size_t a = 0; a < os::kAccounts; ++a) summary.shares[a] = share(sum[a], whole);
  double& sleep = summary.shares[static_cast<std::size_t>(os::Account::kLockSleep)];
  summary.shares[static_cast<std::size_t>(os::Account::kLockWait)] += std::exchange(sleep, 0);
}

}  // namespace

double Sample::rate() const {
  if (length == engine::Duration()) return 0;
  return static_cast<double>(count) * kPicosecondsPerSecond / static_cast<double>(length.ps());
}

Sample sample_of(const workload::Scenario& scenario, const Replication& replication) {
  const measure::Measurement& measurement = replication.measurement;
  Sample sample;
  sample.machine = scenario.machine.name;
  sample.threads = scenario.threads;
  sample.cpus = measurement.cpus;
  sample.length = measurement.length;
  if (!measurement.works.empty()) {
    sample.work = measurement.works.front().name;
    sample.count = measurement.works.front().count;
  }
  sample.halves = measurement.halves;
  const std::vector<double> shares = measure::work_shares(measurement);
  sample.jain = measure::jain_index(shares);
  sample.min_over_max = measure::min_over_max(shares);
  for (const measure::ThreadEntry& thread : measurement.threads) {
    for (std::size_t a = 0; a < os::kAccounts; ++a) sample.accounts[a] += thread.accounts[a];
  }
  const std::vector<measure::LineRow> lines = measure::line_rows(measurement);
  if (!lines.empty() && lines.front().stalled != engine::Duration()) {
    sample.hottest_line = lines.front().line;
    sample.hottest_stalled = lines.front().stalled;
  }
  sample.events = measurement.events;
  sample.fingerprint = measurement.fingerprint;
  for (const std::string& line : replication.stuck) {
    sample.stuck += (sample.stuck.empty() ? "" : "\n") + line;
  }
  return sample;
}

Summary summarise(std::span<const Sample> samples) {
  Summary summary;
  measure::Halves halves;
  for (const Sample& sample : samples) {
    summary.rates.push_back(sample.rate());
    summary.jain += sample.jain / static_cast<double>(samples.size());
    summary.min_over_max += sample.min_over_max / static_cast<double>(samples.size());
    halves.first += sample.halves.first;
    halves.second += sample.halves.second;
    summary.events += sample.events;
    summary.fingerprint = &sample == samples.data() ? sample.fingerprint
                                                    : measure::combine_fingerprints(
                                                          summary.fingerprint, sample.fingerprint);
    if (summary.stuck.empty()) summary.stuck = sample.stuck;
  }
  summary.rate = measure::mean_interval(summary.rates);
  summary.drift = measure::drift(halves);
  summarise_accounts(samples, summary);
  summarise_lines(samples, summary);
  return summary;
}

}  // namespace hotline::experiment
