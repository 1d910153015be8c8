#include "tests/unit/machine/random_program.hpp"

#include <array>

#include <fmt/format.h>

namespace hotline::tests {

namespace {

using engine::Random;

constexpr std::array<unsigned, 4> kSizes = {8, 4, 2, 1};
constexpr std::uint32_t kMaxThreads = 20;

Value mask_of(unsigned size) { return size == 8 ? ~Value{0} : (Value{1} << size * 8U) - 1; }

/// Where things lie; three lines, of which the first two are a pair.
struct Ground {
  std::array<Word, 4> counters;  // of each size; line 0
  std::vector<Word> own;         // two bytes a thread; line 0
  Word tick;                     // line 1
  Word version;                  // line 1, written by thread 0 alone
  Word claimed;                  // line 1, counted by compare-exchange
  Word passed;                   // line 2, exchanged
  std::vector<Word> flags;       // a byte a thread; line 2
};

Ground lay_out(Rig& rig) {
  const std::uint32_t line = static_cast<std::uint32_t>(rig.machine().line_bytes());
  Ground ground;
  const machine::NodeId last{rig.topology().nodes() - 1};
  const Word first =
      rig.machine().word(rig.machine().allocate(machine::Bytes{2} * line, last, "pair"), 8);
  const Word third = rig.word(0);
  ground.counters = {first, rig.beside(first, 8, 4), rig.beside(first, 12, 2),
                     rig.beside(first, 14, 1)};
  for (std::uint32_t i = 0; i < kMaxThreads; ++i) {
    ground.own.push_back(rig.beside(first, 16 + 2 * i, 2));
    ground.flags.push_back(rig.beside(third, 8 + i, 1));
  }
  ground.tick = rig.beside(first, line);
  ground.version = rig.beside(first, line + 8, 4);
  ground.claimed = rig.beside(first, line + 16, 8);
  ground.passed = third;
  return ground;
}

/// What all threads have done together, kept outside simulated time.
struct Ledger {
  Ground ground;
  std::uint32_t steps = 0;
  std::uint32_t working = 0;
  SimTime last_end;
  std::array<Value, 4> added{};
  Value claims = 0;
  Value put_in = 0;
  Value taken_out = 0;
  std::vector<std::string> mistakes;
};

/// One thread's program and what it knows.
class Worker {
 public:
  Worker(Thread& self, Ledger& ledger)
      : self_(self),
        ledger_(ledger),
        ground_(ledger.ground),
        me_(self.id().value),
        chance_(self.simulator().stream("random program", me_)) {}

  Task<> run(SimTime& ended) {
    for (std::uint32_t i = 0; i < ledger_.steps; ++i) {
      co_await step();
    }
    co_await self_.fence();
    co_await check_own();
    --ledger_.working;
    ended = self_.simulator().now();
    ledger_.last_end = ended;
  }

  /// Stores to a word that others wait on, until all of them are done.
  Task<> tick() {
    // Beyond the last end, so that it does not matter who of two at the same moment is first.
    for (Value i = 1; ledger_.working != 0 || self_.simulator().now() <= ledger_.last_end; ++i) {
      co_await self_.store(ground_.tick, i);
      co_await self_.compute(ns(20 + chance_.below(300)));
    }
  }

 private:
  Task<> step() {
    switch (chance_.below(14)) {
      case 0:
      case 1:
        return count();
      case 2:
        return post();
      case 3:
        return store_own();
      case 4:
        return check_own();
      case 5:
        return claim();
      case 6:
        return pass();
      case 7:
        return set_bits();
      case 8:
        return wait_for_tick();
      case 9:
        return version();
      case 10:
        return add_own();
      case 11:
        return watch_counter();
      case 12:
        return hint();
      default:
        return work();
    }
  }

  void expect(Value seen, Value wanted, const char* what) {
    if (seen == wanted) return;
    ledger_.mistakes.push_back(fmt::format("thread {} at {} ps: {}: {:x} instead of {:x}", me_,
                                           self_.simulator().now().ps(), what, seen, wanted));
  }

  void expect_not_below(Value seen, Value& last, const char* what) {
    if (seen < last) expect(seen, last, what);
    last = seen;
  }

  Task<> count() {
    const std::uint64_t i = chance_.below(kSizes.size());
    ledger_.added[i] += 1;
    const Value seen = co_await self_.fetch_add(ground_.counters[i], 1);
    if (i != 0) co_return;
    expect_not_below(seen, counter_seen_, "a counter ran backwards");
    counter_seen_ = seen + 1;
  }

  Task<> post() {
    const std::uint64_t i = chance_.below(kSizes.size());
    ledger_.added[i] += 3;
    co_await self_.add(ground_.counters[i], 3);
  }

  Task<> watch_counter() {
    const Value seen = co_await self_.load(ground_.counters[0]);
    expect_not_below(seen, counter_seen_, "a counter ran backwards under loads");
  }

  Task<> store_own() {
    own_ = chance_.below(0x10000);
    co_await self_.store(ground_.own[me_], own_);
  }

  Task<> add_own() {
    own_ = (own_ + 7) & 0xFFFF;
    co_await self_.add(ground_.own[me_], 7);
  }

  Task<> check_own() {
    const Value seen = co_await self_.load(ground_.own[me_]);
    expect(seen, own_, "its own word");
    Word wide = ground_.own[me_];
    wide.offset = static_cast<std::uint8_t>(wide.offset / 8U * 8U);
    wide.size = 8;
    const Value eight = co_await self_.load(wide);
    expect(eight >> (ground_.own[me_].offset % 8U) * 8U & 0xFFFF, own_,
           "its own word in a wide load");
  }

  Task<> claim() {
    Value seen = co_await self_.load(ground_.claimed);
    for (int tries = 0; tries < 3; ++tries) {
      const Value held = co_await self_.compare_exchange(ground_.claimed, seen, seen + 1);
      if (held == seen) {
        ++ledger_.claims;
        co_return;
      }
      seen = held;
    }
  }

  Task<> pass() {
    const Value put = chance_.below(1000);
    ledger_.put_in += put;
    ledger_.taken_out += co_await self_.exchange(ground_.passed, put);
  }

  Task<> set_bits() {
    const Value bits = 1U << chance_.below(8);
    const Value before = co_await self_.fetch_or(ground_.flags[me_], bits);
    expect(before, flags_, "its own flags");
    flags_ |= bits;
    const Value kept = chance_.below(256);
    const Value then = co_await self_.fetch_and(ground_.flags[me_], kept);
    expect(then, flags_, "its own flags, set");
    flags_ &= kept;
  }

  Task<> wait_for_tick() {
    const Value seen = co_await self_.load(ground_.tick);
    const Pace pace = chance_.below(2) == 0 ? Pace::kTight : Pace::kPause;
    const Value next = co_await self_.spin_while(ground_.tick, seen, pace);
    if (next < seen) expect(next, seen, "the tick ran backwards");
  }

  Task<> version() {
    if (me_ == 0) {
      ++version_seen_;
      co_await self_.store(ground_.version, version_seen_);
      co_return;
    }
    const Value seen = co_await self_.load(ground_.version);
    expect_not_below(seen, version_seen_, "a version ran backwards");
  }

  Task<> hint() {
    co_await self_.prefetch_write(chance_.below(2) == 0 ? ground_.tick : ground_.passed);
    if (chance_.below(2) == 0) {
      co_await self_.fence();
    }
  }

  Task<> work() { co_await self_.compute(ns(chance_.below(200))); }

  Thread& self_;
  Ledger& ledger_;
  const Ground& ground_;
  std::uint32_t me_;
  Random chance_;
  Value own_ = 0;
  Value flags_ = 0;
  Value counter_seen_ = 0;
  Value version_seen_ = 0;
};

void check_sums(Rig& rig, Ledger& ledger) {
  const Ground& ground = ledger.ground;
  const auto compare = [&](Value seen, Value wanted, const char* what) {
    if (seen == wanted) return;
    ledger.mistakes.push_back(fmt::format("{} is {} instead of {}", what, seen, wanted));
  };
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    compare(rig.machine().peek(ground.counters[i]), ledger.added[i] & mask_of(kSizes[i]),
            "the sum of a counter");
  }
  compare(rig.machine().peek(ground.claimed), ledger.claims, "the number of claims");
  compare(rig.machine().peek(ground.passed), ledger.put_in - ledger.taken_out,
          "what has not been taken out");
}

/// Runs until all is done or nothing moves any more, looking at the machine now and then.
void run_and_look(Rig& rig, Ledger& ledger) {
  for (int i = 0; i < 20000 && !rig.simulator().idle(); ++i) {
    rig.run_for(ns(197));
    rig.machine().check_single_writer();
  }
  if (rig.simulator().unfinished_roots() != 0) {
    ledger.mistakes.push_back(
        fmt::format("{} threads never end", rig.simulator().unfinished_roots()));
  }
}

}  // namespace

RandomRun run_random_program(const machine::Description& machine, std::uint64_t seed, bool batching,
                             std::uint32_t steps) {
  const engine::TieOrder ties{.shuffle = is_shuffled(seed), .seed = seed};
  Rig rig({.machine = machine, .batching = batching, .ties = ties, .seed = seed});
  const std::uint32_t threads = std::min(rig.topology().cpus(), kMaxThreads);
  Ledger ledger;
  ledger.ground = lay_out(rig);
  ledger.steps = steps;
  ledger.working = threads - 1;
  RandomRun run;
  run.ended.resize(threads);
  std::vector<Worker> workers;
  workers.reserve(threads);
  for (std::uint32_t cpu = 0; cpu < threads; ++cpu) workers.emplace_back(rig.thread(cpu), ledger);
  for (std::uint32_t i = 0; i + 1 < threads; ++i) rig.spawn(workers[i].run(run.ended[i]));
  rig.spawn(workers.back().tick());
  run_and_look(rig, ledger);
  check_sums(rig, ledger);
  run.mistakes = ledger.mistakes;
  run.counts = rig.machine().counts();
  run.events = rig.simulator().events();
  return run;
}

}  // namespace hotline::tests
