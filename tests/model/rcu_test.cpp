#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/model/rcu_rig.hpp"

// What every RCU domain promises.

namespace hotline::tests {
namespace {

using engine::Task;
using os::Preemption;

/// Which sections are under way, and that none is which a grace period had to wait for.
class Sections {
 public:
  void enter(std::uint32_t thread) { inside_[thread] = ++number_; }
  void leave(std::uint32_t thread) { inside_.erase(thread); }
  std::map<std::uint32_t, std::uint64_t> inside() const { return inside_; }
  void check_over(const std::map<std::uint32_t, std::uint64_t>& before) {
    for (const auto& [thread, number] : before) {
      const auto still = inside_.find(thread);
      if (still != inside_.end() && still->second == number) ++violations;
    }
    ++checked;
    seen += before.size();
  }
  std::uint64_t violations = 0;
  std::uint64_t checked = 0;
  std::uint64_t seen = 0;  ///< sections that grace periods had to wait for

 private:
  std::map<std::uint32_t, std::uint64_t> inside_;
  std::uint64_t number_ = 0;
};

class CheckOver final : public model::RcuCallback {
 public:
  explicit CheckOver(Sections& sections) : sections_(sections), before_(sections.inside()) {}
  Task<> invoke(model::Thread& self) override {
    sections_.check_over(before_);
    co_await self.compute(ns(10));
  }

 private:
  Sections& sections_;
  std::map<std::uint32_t, std::uint64_t> before_;
};

Task<> read(RcuRig& rig, std::uint32_t k, Sections& sections, int rounds) {
  os::Thread& self = rig.thread(k);
  for (int round = 0; round < rounds; ++round) {
    const model::ReadToken token = co_await rig.rcu().read_lock(self);
    sections.enter(k);
    const bool long_one = self.random().below(8) == 0;
    co_await self.compute(long_one ? us(3000) : us(20));
    const bool nests = self.random().below(4) == 0;
    if (nests) {
      const model::ReadToken inner = co_await rig.rcu().read_lock(self);
      co_await self.compute(us(1));
      co_await rig.rcu().read_unlock(self, inner);
    }
    sections.leave(k);
    co_await rig.rcu().read_unlock(self, token);
    const bool sleeps = self.random().below(5) == 0;
    if (sleeps) {
      co_await self.sleep(us(500));
    } else {
      co_await self.compute(us(30));
    }
  }
}

Task<> update(RcuRig& rig, std::uint32_t k, Sections& sections, int rounds) {
  os::Thread& self = rig.thread(k);
  for (int round = 0; round < rounds; ++round) {
    const auto before = sections.inside();
    if (round % 3 == 0) {
      co_await rig.rcu().synchronize(self);
    } else if (round % 3 == 1) {
      co_await rig.rcu().synchronize_expedited(self);
    } else {
      auto callback = std::make_unique<CheckOver>(sections);
      co_await rig.rcu().call(self, std::move(callback));
    }
    if (round % 3 != 2) sections.check_over(before);
    co_await self.compute(us(self.random().below(400)));
  }
}

bool is_rcu(const model::Entry& row) { return row.kind == model::Kind::kRcu; }

void for_all_domains(const std::function<void(RcuRig::Setup)>& check) {
  for (const model::Entry& row : models::built_in()) {
    if (!is_rcu(row)) continue;
    for (const Preemption preemption :
         {Preemption::kNone, Preemption::kVoluntary, Preemption::kFull, Preemption::kRealTime}) {
      for (const engine::TieOrder ties : {engine::TieOrder{}, engine::TieOrder{true, 1}}) {
        INFO(row.name << ", preemption "
                      << os::kPreemptionNames[static_cast<std::size_t>(preemption)]
                      << (ties.shuffle ? ", ties shuffled" : ""));
        check({two_sockets(3), ticking(1000, preemption), 9, row.name, {}, 3, ties});
      }
    }
  }
}

void run_readers_and_updaters(RcuRig& rig, Sections& sections) {
  for (std::uint32_t k = 0; k < 7; ++k) rig.start(k, read(rig, k, sections, 150));
  for (std::uint32_t k = 7; k < 9; ++k) rig.start(k, update(rig, k, sections, 12));
  rig.run();
}

TEST_CASE("no grace period ends before the sections that it found are over") {
  for_all_domains([](RcuRig::Setup setup) {
    RcuRig rig(setup);
    Sections sections;
    run_readers_and_updaters(rig, sections);
    CHECK(sections.violations == 0);
    CHECK(sections.seen > 10);
    CHECK(sections.checked >= 16);
  });
}

TEST_CASE("nor with a tree of several levels and threads that move") {
  for (const Preemption preemption : {Preemption::kNone, Preemption::kFull}) {
    RcuRig rig({two_sockets(3),
                ticking(1000, preemption),
                9,
                "rcu",
                {{"leaf_fanout", std::int64_t{2}}, {"fanout", std::int64_t{2}}},
                5,
                {},
                false});
    Sections sections;
    run_readers_and_updaters(rig, sections);
    CHECK(sections.violations == 0);
    CHECK(sections.seen > 10);
  }
}

/// Another machine, preemption model, tree and way of losing time for each seed.
RcuRig::Setup varied(std::uint64_t seed) {
  const auto preemption = static_cast<Preemption>(seed % 4);
  os::Parameters os = ticking(seed % 3 == 0 ? 250 : 1000, preemption);
  if (seed % 5 == 0) os.steal = os::Steal{us(3000), 300};
  if (seed % 3 == 1) {  // whatever can happen at the same time does
    os.context_switch = {};
    os.migration = {};
    os.wake = {};
    os.ipi = {};
    os.idle_states.clear();
  }
  const auto fanout = static_cast<std::int64_t>(seed % 7 < 5 ? 2 : 16);
  model::ParamValues params{{"leaf_fanout", fanout}, {"fanout", fanout}};
  if (seed % 2 == 1) params.emplace("rcu_normal", std::string("no"));
  if (seed % 7 == 3) params.emplace("threaded", std::string("yes"));
  const engine::TieOrder ties{seed % 4 != 0, seed};
  return {two_sockets(3), os, 9, "rcu", params, seed, ties, seed % 2 == 0};
}

TEST_CASE("nor when CPUs are taken away, costs are zero and events change places") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    RcuRig rig(varied(seed));
    Sections sections;
    run_readers_and_updaters(rig, sections);
    CHECK(sections.violations == 0);
  }
}

TEST_CASE("the same seed gives the same events") {
  const auto fingerprint = [] {
    RcuRig rig({two_sockets(3), ticking(1000, Preemption::kFull), 9});
    Sections sections;
    run_readers_and_updaters(rig, sections);
    return rig.simulator().fingerprint();
  };
  CHECK(fingerprint() == fingerprint());
}

}  // namespace
}  // namespace hotline::tests
