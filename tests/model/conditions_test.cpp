#include <algorithm>
#include <memory>
#include <string>

#include "tests/catch.hpp"
#include "tests/model/cases.hpp"
#include "tests/model/rig.hpp"

// Every condition variable of the catalogue: bounded queues lose nothing and leave nobody asleep.

namespace hotline::tests {
namespace {

using engine::Task;

bool is_condition(const model::Entry& row) { return row.kind == model::Kind::kConditionVariable; }

/// A mutex and a second condition variable, beside the rig's own.
struct Tools {
  explicit Tools(Rig& rig)
      : mutex(make("futex-mutex", rig)), other(make(kModel, rig)), not_full(rig.condition()) {}

  static std::unique_ptr<model::Model> make(std::string_view name, Rig& rig) {
    model::ParamReader defaults;
    return entry(name).make(rig.site().part(name, {0}), defaults);
  }
  model::Lock& lock() const { return *mutex->lock(); }
  model::ConditionVariable& not_empty() const { return *other->condition_variable(); }

  static constexpr std::string_view kModel = "condition-variable";
  std::unique_ptr<model::Model> mutex;
  std::unique_ptr<model::Model> other;
  model::ConditionVariable& not_full;
};

struct Queue {
  static constexpr std::uint32_t kRoom = 2;
  std::uint32_t length = 0;
  std::uint32_t put = 0;
  std::uint32_t taken = 0;
  std::uint32_t ended = 0;
  std::uint32_t longest = 0;
};

struct Scene {
  Rig& rig;
  Tools& tools;
  Queue& queue;
  std::uint32_t rounds = 0;
  bool broadcasts = false;
  bool in_kernel = false;
};

Task<> tell(Scene scene, os::Thread& self, model::ConditionVariable& condition) {
  return scene.broadcasts ? condition.broadcast(self) : condition.signal(self);
}

Task<> produce(Scene scene, os::Thread& self) {
  co_await self.started();
  self.set_in_kernel(scene.in_kernel);
  for (std::uint32_t round = 0; round < scene.rounds; ++round) {
    co_await scene.tools.lock().acquire(self);
    while (scene.queue.length == Queue::kRoom) {
      co_await scene.tools.not_full.wait(self, scene.tools.lock());
    }
    scene.queue.longest = std::max(scene.queue.longest, ++scene.queue.length);
    ++scene.queue.put;
    co_await self.compute(ns(50));
    const bool inside = self.random().below(2) == 0;
    if (inside) co_await tell(scene, self, scene.tools.not_empty());
    co_await scene.tools.lock().release(self);
    if (!inside) co_await tell(scene, self, scene.tools.not_empty());
    co_await self.compute(self.random().uniform(ns(0), ns(400)));
  }
  ++scene.queue.ended;
  scene.rig.scheduler().end(self);
}

Task<> consume(Scene scene, os::Thread& self) {
  co_await self.started();
  self.set_in_kernel(scene.in_kernel);
  for (std::uint32_t round = 0; round < scene.rounds; ++round) {
    co_await scene.tools.lock().acquire(self);
    while (scene.queue.length == 0) {
      co_await scene.tools.not_empty().wait(self, scene.tools.lock());
    }
    --scene.queue.length;
    ++scene.queue.taken;
    co_await self.compute(ns(50));
    co_await tell(scene, self, scene.tools.not_full);
    co_await scene.tools.lock().release(self);
    co_await self.compute(self.random().uniform(ns(0), ns(400)));
  }
  ++scene.queue.ended;
  scene.rig.scheduler().end(self);
}

/// Threads in turn produce and consume; an odd one only watches.
Queue run_queue(Rig& rig, std::uint32_t rounds, bool broadcasts, bool in_kernel = false) {
  Tools tools(rig);
  Queue queue;
  const Scene scene{rig, tools, queue, rounds, broadcasts, in_kernel};
  const std::uint32_t pairs = rig.threads() / 2;
  for (std::uint32_t k = 0; k < pairs; ++k) {
    rig.simulator().spawn(produce(scene, rig.thread(2 * k)));
    rig.simulator().spawn(consume(scene, rig.thread(2 * k + 1)));
  }
  if (rig.threads() % 2 == 1) rig.scheduler().end(rig.thread(rig.threads() - 1));
  rig.run(ns(10'000'000'000));
  REQUIRE(queue.ended == 2 * pairs);
  REQUIRE(queue.put == rounds * pairs);
  REQUIRE(queue.taken == rounds * pairs);
  REQUIRE(queue.longest <= Queue::kRoom);
  return queue;
}

TEST_CASE("a bounded queue loses no item and leaves nobody asleep") {
  for_all(is_condition, [](const Rig::Setup& setup) {
    for (const bool broadcasts : {false, true}) {
      Rig rig(setup);
      run_queue(rig, 60, broadcasts);
    }
  });
}

TEST_CASE("nor with three threads a CPU under an operating system that preempts them") {
  for (const os::Preemption preemption : {os::Preemption::kVoluntary, os::Preemption::kFull}) {
    for (const bool in_kernel : {false, true}) {
      for (const bool broadcasts : {false, true}) {
        INFO("preemption " << os::kPreemptionNames[static_cast<std::size_t>(preemption)]
                           << (in_kernel ? ", in the kernel" : "")
                           << (broadcasts ? ", broadcasts" : ""));
        Rig::Setup setup{two_sockets(3), 18, Tools::kModel};
        setup.os = os::linux_defaults();
        setup.os.hz = 10'000;
        setup.os.preemption = preemption;
        setup.os.latency = ns(200'000);
        setup.os.minimum_slice = ns(50'000);
        setup.pinned = false;
        Rig rig(setup);
        run_queue(rig, 100, broadcasts, in_kernel);
      }
    }
  }
}

struct Gathering {
  std::uint32_t waiting = 0;
  std::uint32_t through = 0;
};

Task<> wait_once(Rig& rig, Tools& tools, os::Thread& self, Gathering& gathering) {
  co_await tools.lock().acquire(self);
  ++gathering.waiting;
  co_await rig.condition().wait(self, tools.lock());
  ++gathering.through;
  co_await tools.lock().release(self);
}

Task<> broadcast(Rig& rig, os::Thread& self) { return rig.condition().broadcast(self); }
Task<> signal(Rig& rig, os::Thread& self) { return rig.condition().signal(self); }

TEST_CASE("a signal wakes one, a broadcast all the others, and neither anybody who comes later") {
  for_all(is_condition, [](const Rig::Setup& setup) {
    Rig rig(setup);
    Tools tools(rig);
    Gathering gathering;
    const std::uint32_t last = rig.threads() - 1;
    rig.simulator().spawn(signal(rig, rig.thread(last)));  // for nobody: it is not kept
    rig.simulator().run_until(rig.simulator().now() + ns(100'000));
    for (std::uint32_t k = 0; k < last; ++k) {
      rig.simulator().spawn(wait_once(rig, tools, rig.thread(k), gathering));
    }
    rig.simulator().run_until(rig.simulator().now() + ns(1'000'000));
    REQUIRE(gathering.waiting == last);
    REQUIRE(gathering.through == 0);
    rig.simulator().spawn(signal(rig, rig.thread(last)));
    rig.simulator().run_until(rig.simulator().now() + ns(1'000'000));
    REQUIRE(gathering.through == 1);
    rig.simulator().spawn(broadcast(rig, rig.thread(last)));
    rig.run();
    REQUIRE(gathering.through == last);
  });
}

TEST_CASE("the same seed gives the same run of a condition variable") {
  for_all(is_condition, [](const Rig::Setup& setup) {
    std::uint64_t fingerprints[2] = {};
    for (std::uint64_t& fingerprint : fingerprints) {
      Rig rig(setup);
      run_queue(rig, 20, false);
      fingerprint = rig.simulator().fingerprint();
    }
    REQUIRE(fingerprints[0] == fingerprints[1]);
  });
}

}  // namespace
}  // namespace hotline::tests
