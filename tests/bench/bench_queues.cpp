// The benchmark that chose the event queue: PHOLD as a plain loop (take the earliest event, put it
// back an exponential time later, stable order) on four queues. All must give the same order.

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <vector>

#include "sim/engine/event_queue.hpp"
#include "sim/engine/random.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/queues/calendar_queue.hpp"
#include "tests/bench/queues/entry.hpp"
#include "tests/bench/queues/four_ary_heap.hpp"
#include "tests/bench/queues/radix_heap.hpp"

namespace hotline::bench {
namespace {

using engine::Duration;
using engine::Random;
using engine::SimTime;

constexpr Duration kMeanDelay = Duration::from_ps(100'000);

/// The delay of one event: exponential; or mixed, as in a simulated machine, where most are the few
/// fixed legs of a transfer and one in 64 is a timer a thousand times as long.
Duration delay(Random& random, bool mixed) {
  if (!mixed) return random.exponential(kMeanDelay);
  const std::uint64_t kind = random.below(64);
  if (kind == 0) return random.exponential(kMeanDelay * 1000);
  return Duration::from_ps(5'000 * (1 + kind % 3));
}

/// Gives one of the losing queues the face of the simulator's.
template <class Queue>
class Contestant {
 public:
  void push(std::uint64_t time, void* payload) {
    queue_.push({time << Entry::kSequenceBits | next_sequence_++, payload});
  }

  void* pop(std::uint64_t& time) {
    const Entry entry = queue_.pop();
    time = entry.time();
    return entry.payload;
  }

  static constexpr std::uint64_t kMostEvents = std::uint64_t{1} << Entry::kSequenceBits;

 private:
  Queue queue_;
  std::uint64_t next_sequence_ = 0;
};

class WinnerTreeContestant {
 public:
  void push(std::uint64_t time, void* payload) {
    queue_.insert(SimTime::from_ps(time), engine::Phase::kArrival, payload);
  }

  void* pop(std::uint64_t& time) {
    engine::FiredEvent event;
    queue_.take(SimTime::never(), event);
    time = event.time.ps();
    return event.payload;
  }

 private:
  engine::EventQueue queue_;
};

/// Runs PHOLD on one queue, prints what an event cost, and returns a hash of the order.
template <class Queue>
std::uint64_t phold(const char* name, const Options& options) {
  const auto queue = std::make_unique<Queue>();
  Random random(1, "phold");
  std::vector<std::uint64_t> fired(options.processes);
  for (auto& count : fired) queue->push(delay(random, options.mixed).ps(), &count);

  std::uint64_t order = 0;
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < options.events; ++i) {
    std::uint64_t time = 0;
    auto* const count = static_cast<std::uint64_t*>(queue->pop(time));
    order = order * 31 + static_cast<std::uint64_t>(count - fired.data());
    ++*count;
    queue->push(time + delay(random, options.mixed).ps(), count);
  }
  const double seconds = cpu_seconds() - start;
  std::printf("  %-14s %7.1f ns an event  %7.2f M events/s\n", name,
              seconds * 1e9 / static_cast<double>(options.events),
              static_cast<double>(options.events) / seconds / 1e6);
  return order;
}

template <class Queue>
void enter(const char* name, const Options& options, std::vector<std::uint64_t>& orders) {
  if (options.only.empty() || options.only == name) orders.push_back(phold<Queue>(name, options));
}

int run(const Options& options) {
  using Heap = Contestant<FourAryHeap>;
  if (options.events + options.processes > Heap::kMostEvents) {
    std::fprintf(stderr, "bench_queues: at most %" PRIu64 " events\n", Heap::kMostEvents);
    return 2;
  }
  std::printf("PHOLD, %" PRIu64 " processes, %" PRIu64 " events, %s delays\n", options.processes,
              options.events, options.mixed ? "mixed" : "exponential");
  std::vector<std::uint64_t> orders;
  enter<Heap>("four-ary-heap", options, orders);
  enter<Contestant<CalendarQueue>>("calendar", options, orders);
  enter<Contestant<RadixHeap>>("radix-heap", options, orders);
  enter<WinnerTreeContestant>("winner-tree", options, orders);
  for (const std::uint64_t order : orders) {
    if (order == orders.front()) continue;
    std::fputs("bench_queues: the queues gave different orders\n", stderr);
    return 1;
  }
  return orders.empty() ? 2 : 0;
}

}  // namespace
}  // namespace hotline::bench

int main(int argc, char** argv) {
  return hotline::bench::run(hotline::bench::read_options(argc, argv));
}
