#include <map>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

namespace hotline::tests {
namespace {

/// Checks the order of what it is told, and counts.
class Listener : public workload::Observer {
 public:
  void measurement_began(engine::SimTime when) override { began = when; }
  void measurement_ended(engine::SimTime when) override { ended = when; }
  void thread_began(os::ThreadId, engine::SimTime) override { ++threads; }
  void thread_ended(os::ThreadId, engine::SimTime) override { --threads; }
  void acquire_began(os::ThreadId, workload::LockId, workload::CallSiteId site,
                     engine::SimTime) override {
    ++sites[site.value];
  }
  void acquired(os::ThreadId thread, workload::LockId lock, workload::CallSiteId, bool has_waited,
                engine::SimTime) override {
    CHECK(!holders.contains(lock.value));
    holders[lock.value] = thread.value;
    ++acquisitions;
    waited += has_waited ? 1 : 0;
  }
  void release_began(os::ThreadId thread, workload::LockId lock, engine::SimTime) override {
    CHECK(holders.at(lock.value) == thread.value);
    holders.erase(lock.value);
  }
  void counted(os::ThreadId, workload::WorkId, std::uint64_t amount, engine::SimTime) override {
    work += amount;
  }
  void entered(os::ThreadId, os::FunctionId, engine::SimTime) override { ++depth; }
  void left(os::ThreadId, engine::SimTime) override { --depth; }

  engine::SimTime began;
  engine::SimTime ended;
  int threads = 0;
  int depth = 0;
  std::uint64_t acquisitions = 0;
  std::uint64_t waited = 0;
  std::uint64_t work = 0;
  std::map<std::uint32_t, std::uint32_t> holders;
  std::map<std::uint32_t, std::uint64_t> sites;
};

workload::Scenario contended(std::uint32_t threads) {
  workload::Overrides overrides;
  overrides.threads = threads;
  return scenario(R"(objects: {lock: {model: ticket}}
threads:
  w:
    count: threads
    program:
      - call:
          function: outer
          do:
            - loop:
                times: 10
                do:
                  - with: {lock: lock, do: [{compute: 100ns}]}
                  - count: sections
      - with: {lock: lock, do: [{compute: 1ns}]}
)",
                  overrides);
}

}  // namespace

TEST_CASE("an observer is told of every acquisition, by lock and call site") {
  Listener listener;
  workload::Run run(contended(4), {.observer = &listener});
  run.run();
  CHECK(listener.acquisitions == 44);
  CHECK(listener.sites[0] == 40);
  CHECK(listener.sites[1] == 4);
  CHECK(listener.work == 40);
  CHECK(listener.threads == 0);
  CHECK(listener.depth == 0);
  CHECK(listener.ended == run.measured_to());
  CHECK(run.call_sites()[0].name == "outer");
  CHECK(run.call_sites()[1].name == "w");
  CHECK(run.locks()[0].model == "ticket");
}

TEST_CASE("an acquisition has waited if and only if another thread had the lock or was before it") {
  Listener alone;
  workload::Run(contended(1), {.observer = &alone}).run();
  CHECK(alone.waited == 0);
  Listener four;
  workload::Run(contended(4), {.observer = &four}).run();
  CHECK(four.waited >= 40);
  CHECK(four.waited < 44);
}

}  // namespace hotline::tests
