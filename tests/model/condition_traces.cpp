#include "tests/model/condition_traces.hpp"

#include "tests/model/reader_traces.hpp"
#include "tests/model/trace.hpp"

namespace hotline::tests {

namespace {

/// Costs nothing: the trace is the condition variable's.
class NoLock final : public model::Lock {
 public:
  engine::Task<> acquire(os::Thread&) override { co_return; }
  engine::Task<bool> try_acquire(os::Thread&) override { co_return true; }
  engine::Task<> release(os::Thread&) override { co_return; }
};

struct Scene {
  Rig& rig;
  Trace& trace;
  NoLock& mutex;
};

engine::Task<> wait_once(Scene scene, std::uint32_t k, engine::Duration arrival) {
  os::Thread& self = scene.rig.thread(k);
  co_await scene.rig.simulator().sleep(arrival);
  scene.trace.heading(k, "wait");
  co_await scene.rig.condition().wait(self, scene.mutex);
}

engine::Task<> wake(Scene scene, std::uint32_t k, engine::Duration arrival, bool all) {
  os::Thread& self = scene.rig.thread(k);
  co_await scene.rig.simulator().sleep(arrival);
  scene.trace.heading(k, all ? "broadcast" : "signal");
  if (all) {
    co_await scene.rig.condition().broadcast(self);
  } else {
    co_await scene.rig.condition().signal(self);
  }
}

/// As many waiters as `waiters` 1 us apart, the last one after the first signal; then they are
/// woken.
std::string waits_and(std::string_view model, std::uint32_t waiters, bool all) {
  Rig rig({traced_machine(), waiters + 1, model});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  NoLock mutex;
  const Scene scene{rig, trace, mutex};
  for (std::uint32_t k = 0; k + 1 < waiters; ++k) {
    rig.simulator().spawn(wait_once(scene, k, ns(1000 * k)));
  }
  rig.simulator().spawn(wait_once(scene, waiters - 1, waiters == 1 ? ns(0) : ns(20'000)));
  const std::uint32_t rounds = all ? 2 : waiters + 1;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    rig.simulator().spawn(wake(scene, waiters, ns(10'000 + 20'000 * round), all));
  }
  rig.run();
  return trace.text();
}

}  // namespace

std::string condition_sections(std::string_view model) {
  const auto section = [](const std::string& what, const std::string& body) {
    return "== " + what + "\n" + body + "\n";
  };
  return section("a waiter, a signal, and one for nobody", waits_and(model, 1, false)) +
         section("two waiters, one after the first signal", waits_and(model, 2, false)) +
         section("three waiters, one after the first broadcast", waits_and(model, 3, true));
}

}  // namespace hotline::tests
