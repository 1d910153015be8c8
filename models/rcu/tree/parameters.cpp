#include "models/rcu/tree/state.hpp"

namespace hotline::models::tree_rcu {

namespace {

constexpr Duration us(std::uint64_t count) { return Duration::from_ps(count * 1'000'000); }
constexpr Duration ns(std::uint64_t count) { return Duration::from_ps(count * 1'000); }

constexpr std::size_t kByPreemption = 0;
constexpr std::size_t kYes = 1;

/// How long a CPU may go without a tick or a switch before a scan, by HZ and size (tree.h).
Jiffies ticks_till_scan(std::uint32_t hz, std::uint32_t cpus) {
  return 1 + (hz > 250 ? 1 : 0) + (hz > 500 ? 1 : 0) + cpus / 256;
}

}  // namespace

Parameters read_parameters(const Site& site, ParamReader& params) {
  Parameters p;
  const os::Parameters* os =
      site.scheduler() == nullptr ? nullptr : &site.scheduler()->parameters();
  const os::Preemption preemption = os == nullptr ? os::Preemption::kNone : os->preemption;
  const std::uint32_t hz = os == nullptr ? 0 : os->hz;
  const bool real_time = preemption == os::Preemption::kRealTime;

  const auto choose = [&](std::string_view name, bool by_preemption, std::string_view description) {
    const std::size_t chosen =
        params.choice(name, kByPreemption, {"by-preemption", "yes", "no"}, description);
    return chosen == kByPreemption ? by_preemption : chosen == kYes;
  };
  p.preemptible =
      choose("preemptible", preemption >= os::Preemption::kFull,
             "readers can be preempted (PREEMPT_RCU); else as the run's os section says");
  p.threaded = choose("threaded", real_time,
                      "threads do the softirq's work (use_softirq=0), as under PREEMPT_RT");
  p.expedited_is_normal =
      choose("rcu_normal", real_time, "expedited grace periods become normal, as under PREEMPT_RT");
  p.normal_is_expedited =
      params.boolean("rcu_expedited", false, "normal grace periods of waiters become expedited");
  p.leaf_fanout = static_cast<std::uint32_t>(
      params.integer("leaf_fanout", 16, 2, 64, "CPUs of a leaf of the tree"));
  p.fanout =
      static_cast<std::uint32_t>(params.integer("fanout", 64, 2, 64, "nodes below an inner node"));
  const auto jiffies = [&](std::string_view name, std::string_view description) {
    const auto given = static_cast<Jiffies>(params.integer(name, 0, 0, 10'000, description));
    return given != 0 ? given : ticks_till_scan(hz, site.cpus());
  };
  p.first_scan = jiffies("first_scan",
                         "ticks until idle CPUs are looked for; 0: 1 to 3 by hz, and "
                         "one more for every 256 CPUs");
  p.next_scan = jiffies("next_scan", "ticks until they are looked for again; 0: the same");
  p.urgent_after = hz / 10 + site.cpus() / 256;
  p.batch = static_cast<std::uint64_t>(params.integer(
      "batch", 10, 1, 1'000'000, "callbacks a pass while the CPU has something else to do"));
  p.high_mark = static_cast<std::uint64_t>(params.integer(
      "high_mark", 10'000, 1, 1'000'000'000, "callbacks of a CPU from which on it makes haste"));
  p.low_mark = static_cast<std::uint64_t>(
      params.integer("low_mark", 100, 0, 1'000'000'000, "and below which it no longer does"));
  p.batch_time = params.duration("batch_time", us(3'000), "the longest pass over 100 callbacks");
  p.free_delay =
      params.duration("free_delay", us(5'000'000), "how long kfree_rcu collects what it is given");
  p.free_page = static_cast<std::uint64_t>(params.integer(
      "free_page", 500, 1, 1'000'000, "and how much it collects before it makes haste"));
  p.softirq = params.duration("softirq", ns(200), "to begin a softirq (inferred: 100 to 500 ns)");
  p.invocation = params.duration("invocation", ns(50),
                                 "to invoke a callback, beside its steps (inferred: 20 to 200 ns)");
  p.ipi_send = params.duration("ipi_send", ns(200),
                               "to send an interrupt, for the sender (inferred: 100 to 500 ns)");
  return p;
}

}  // namespace hotline::models::tree_rcu
