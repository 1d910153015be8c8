// PHOLD: every process sleeps for an exponential time, again and again, so that there is one
// pending event a process. Measured as coroutines on the simulator, and beside it, in the same
// run, as a plain loop that takes events from the same queue and puts them back.

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "tests/bench/options.hpp"

namespace hotline::bench {
namespace {

using engine::Duration;
using engine::EventQueue;
using engine::FiredEvent;
using engine::Phase;
using engine::Random;
using engine::SimTime;
using engine::Simulator;
using engine::Task;

constexpr Duration kMeanDelay = Duration::from_ps(100'000);

/// How many events all processes together may still have.
struct Budget {
  std::uint64_t left;
};

Task<> process(Simulator& simulator, Random& random, Budget& budget) {
  while (budget.left != 0) {
    --budget.left;
    co_await simulator.sleep(random.exponential(kMeanDelay));
  }
}

double coroutines(const Options& options) {
  Simulator simulator;
  Random random = simulator.stream("phold");
  Budget budget{options.events};
  for (std::uint64_t i = 0; i < options.processes; ++i) {
    simulator.spawn(process(simulator, random, budget));
  }
  const double start = cpu_seconds();
  simulator.run();
  const double seconds = cpu_seconds() - start;
  std::printf("coroutines on the simulator  %9.3f M events/s  fingerprint %016" PRIx64 "\n",
              static_cast<double>(simulator.events()) / seconds / 1e6, simulator.fingerprint());
  return static_cast<double>(simulator.events()) / seconds;
}

double plain_loop(const Options& options) {
  EventQueue queue;
  Random random(1, "phold");
  std::vector<std::uint64_t> fired(options.processes);
  for (auto& count : fired) {
    queue.insert(SimTime() + random.exponential(kMeanDelay), Phase::kThread, &count);
  }
  const double start = cpu_seconds();
  FiredEvent event;
  for (std::uint64_t i = 0; i < options.events && queue.take(SimTime::never(), event); ++i) {
    ++*static_cast<std::uint64_t*>(event.payload);
    queue.insert(event.time + random.exponential(kMeanDelay), Phase::kThread, event.payload);
  }
  const double seconds = cpu_seconds() - start;
  std::printf("plain loop on its queue      %9.3f M events/s\n",
              static_cast<double>(options.events) / seconds / 1e6);
  return static_cast<double>(options.events) / seconds;
}

int run(const Options& options) {
  std::printf("PHOLD, %" PRIu64 " processes, %" PRIu64 " events\n", options.processes,
              options.events);
  double simulated = 0;
  double plain = 0;
  if (options.only.empty() || options.only == "coroutines") simulated = coroutines(options);
  if (options.only.empty() || options.only == "loop") plain = plain_loop(options);
  if (simulated != 0 && plain != 0) std::printf("ratio %.2f\n", simulated / plain);
  if (simulated == 0 && plain == 0) std::fputs("--only takes coroutines or loop\n", stderr);
  return simulated == 0 && plain == 0 ? 2 : 0;
}

}  // namespace
}  // namespace hotline::bench

int main(int argc, char** argv) {
  return hotline::bench::run(hotline::bench::read_options(argc, argv));
}
