#pragma once

#include "sim/experiment/outcome.hpp"

/// An outcome made by hand, so that reports can be tested without a simulation.
namespace hotline::tests {

inline engine::Duration ns(std::uint64_t length) {
  return engine::Duration::from_ps(length * 1000);
}

inline measure::LockEntry sample_lock() {
  measure::LockEntry entry{"dcache_lock", "path_walk", 1, {}};
  entry.counts.total = 1000;
  entry.counts.waited = 209;
  for (int i = 0; i < 1000; ++i) entry.counts.hold.add(ns(500));
  for (int i = 0; i < 209; ++i) entry.counts.wait.add(ns(2900));
  entry.counts.held = ns(500'000);
  entry.counts.waiting = ns(2900 * 209);
  return entry;
}

inline measure::LineEntry sample_line() {
  measure::LineEntry line;
  line.name = "ns.msg_bytes, ns.msg_hdrs";
  line.hottest = line.name;
  line.hottest_stalled = ns(1'000'000);
  line.statistics.stalled = ns(1'000'000);
  line.statistics.transfers = {10, 60, 30};
  line.statistics.ownerships = 100;
  line.statistics.invalidations = 90;
  line.words = {{"ns.msg_bytes", {0, 70, ns(750'000)}}, {"ns.msg_hdrs", {0, 30, ns(250'000)}}};
  return line;
}

inline experiment::Outcome sample_outcome(const std::string& variant, double factor = 1) {
  experiment::Outcome outcome;
  outcome.workload = "sample";
  outcome.variant = variant;
  outcome.machine = "two-socket";
  outcome.machine_title = "a machine made up for tests";
  outcome.threads = 2;
  outcome.seed = 7;
  outcome.warm_up = ns(100'000);
  outcome.rates = {1000.0 * factor, 1010.0 * factor, 990.0 * factor};
  outcome.figures = {outcome.rates};
  measure::Measurement& total = outcome.total;
  total.length = ns(3'000'000);
  total.cpus = 2;
  total.works = {{"ops", 3}};
  total.threads = {{"worker 0", "worker", 0, 0, 2, {ns(1'000'000), ns(606'100), ns(1'393'900), {}}},
                   {"worker 1", "worker", 1, 0, 1, {ns(2'000'000), {}, ns(1'000'000), {}}}};
  total.locks = {sample_lock()};
  total.lines = {sample_line()};
  total.functions = {{"path_walk", {ns(3'000'000), ns(606'100), {}, {}}}, {"idle", {}}};
  total.distances = {"smt sibling", "same socket", "other socket"};
  total.events = 1'234'567;
  total.operations = 4321;
  total.fingerprint = 0x0123456789abcdefU;
  return outcome;
}

}  // namespace hotline::tests
