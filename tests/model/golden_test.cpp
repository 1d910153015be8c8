#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "models/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/model/condition_traces.hpp"
#include "tests/model/rcu_traces.hpp"
#include "tests/model/reader_traces.hpp"
#include "tests/model/rig.hpp"
#include "tests/model/trace.hpp"

// The operations every model issues, held against tests/model/golden/NAME.txt. tests/approve
// rewrites those files; the difference is then read and committed like any other.

namespace hotline::tests {
namespace {

engine::Task<> hold_once(Rig& rig, Trace& trace, std::uint32_t k, engine::Duration arrival) {
  os::Thread& self = rig.thread(k);
  co_await rig.simulator().sleep(arrival);
  trace.heading(k, "acquire");
  co_await rig.lock().acquire(self);
  co_await self.compute(ns(5000));
  trace.heading(k, "release");
  co_await rig.lock().release(self);
}

engine::Task<> try_once(Rig& rig, Trace& trace) {
  os::Thread& self = rig.thread(0);
  trace.heading(0, "try to acquire");
  const bool taken = co_await rig.lock().try_acquire(self);
  trace.heading(0, taken ? "taken; release" : "not taken");
  if (taken) co_await rig.lock().release(self);
}

/// Threads arrive 1 us apart, and each holds the lock for 5 us.
std::string trace_of_lock(std::string_view model, const model::ParamValues& params,
                          std::uint32_t threads) {
  Rig rig({traced_machine(), threads, model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  for (std::uint32_t k = 0; k < threads; ++k) {
    rig.simulator().spawn(hold_once(rig, trace, k, ns(1000 * k)));
  }
  rig.run();
  if (threads == 1) {
    rig.simulator().spawn(try_once(rig, trace));
    rig.run();
  }
  return trace.text();
}

/// As traced_machine(), with two NUMA nodes.
machine::Description traced_pair() {
  machine::Description d = two_sockets(4);
  d.consistency = machine::Consistency::kSc;
  return d;
}

/// CPUs 0 to 3 are on one NUMA node, 4 to 7 on the other: waiters of both, mixed.
std::string trace_of_two_nodes(std::string_view model, const model::ParamValues& params) {
  Rig rig({traced_pair(), 7, model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  std::uint64_t arrivals = 0;
  for (const std::uint32_t k : {0U, 4U, 1U, 5U, 6U, 2U, 3U}) {
    rig.simulator().spawn(hold_once(rig, trace, k, ns(1000 * arrivals++)));
  }
  rig.run();
  return trace.text();
}

engine::Task<> use_counter(Rig& rig, Trace& trace) {
  os::Thread& self = rig.thread(0);
  for (int k = 0; k < 2; ++k) {
    trace.heading(0, "add");
    co_await rig.counter().add(self, 1);
  }
  trace.heading(0, "add_local");
  co_await rig.counter().add_local(self, -1);
  trace.heading(0, "read");
  co_await rig.counter().read(self);
  trace.heading(0, "sum");
  co_await rig.counter().sum(self);
}

std::string trace_of_counter(std::string_view model, const model::ParamValues& params) {
  Rig rig({traced_machine(), 1, model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  rig.simulator().spawn(use_counter(rig, trace));
  rig.run();
  return trace.text();
}

engine::Task<> add_at(Rig& rig, Trace& trace, std::uint32_t k, engine::Duration arrival) {
  co_await rig.simulator().sleep(arrival);
  trace.heading(k, "add");
  co_await rig.counter().add(rig.thread(k), 1);
}

/// One thread holds the lock while two others add.
std::string trace_of_adds_under_lock(std::string_view model) {
  Rig rig({traced_machine(), 3, model});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  rig.simulator().spawn(hold_once(rig, trace, 0, ns(0)));
  rig.simulator().spawn(add_at(rig, trace, 1, ns(1000)));
  rig.simulator().spawn(add_at(rig, trace, 2, ns(2000)));
  rig.run();
  return trace.text();
}

engine::Task<> use_reference(Rig& rig, Trace& trace, std::uint32_t k, bool kills) {
  os::Thread& self = rig.thread(k);
  co_await rig.simulator().sleep(ns(1000 * k));
  trace.heading(k, "get");
  co_await rig.reference().get(self);
  trace.heading(k, "try to get");
  co_await rig.reference().try_get(self);
  trace.heading(k, "query");
  co_await rig.reference().query(self);
  for (int puts = 0; puts < 2; ++puts) {
    trace.heading(k, "put");
    co_await rig.reference().put(self);
  }
  if (!kills) co_return;
  trace.heading(k, "kill");
  co_await rig.reference().kill(self);
}

engine::Task<> stay_longer(Rig& rig, Trace& trace, std::uint32_t k) {
  os::Thread& self = rig.thread(k);
  co_await rig.simulator().sleep(ns(500));
  trace.heading(k, "get");
  co_await rig.reference().get(self);
  co_await rig.simulator().sleep(ns(5000));
  trace.heading(k, "put");
  co_await rig.reference().put(self);
  trace.heading(k, "try to get");
  co_await rig.reference().try_get(self);
}

/// Two users, the second of which is the owner, if there is one; a third that stays longer.
std::string trace_of_reference(std::string_view model, const model::ParamValues& params) {
  Rig rig({traced_machine(), 3, model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  const bool has_owner = rig.reference().users() != 0;
  rig.simulator().spawn(use_reference(rig, trace, 0, false));
  rig.simulator().spawn(use_reference(rig, trace, 1, has_owner));
  rig.simulator().spawn(stay_longer(rig, trace, 2));
  rig.run();
  return trace.text();
}

std::string section(const std::string& title, const std::string& body) {
  return "== " + title + "\n" + body + "\n";
}

std::string lock_sections(std::string_view model, const std::string& with,
                          const model::ParamValues& params) {
  std::string text = section("uncontended" + with, trace_of_lock(model, params, 1));
  // Who of several waiters wins an unfair lock is the machine's affair, not the algorithm's.
  constexpr std::string_view kQueued[] = {"qspinlock", "cna",       "hmcs",
                                          "c-bo-mcs",  "c-tkt-tkt", "shfl-lock"};
  const bool orderly =
      entry(model).promises.fifo ||
      std::find(std::begin(kQueued), std::end(kQueued), model) != std::end(kQueued);
  for (const std::uint32_t waiters : {1U, 2U, 4U}) {
    if (waiters > 1 && !orderly) break;
    text += section(std::to_string(waiters) + (waiters == 1 ? " waiter" : " waiters") + with,
                    trace_of_lock(model, params, waiters + 1));
  }
  return text;
}

std::string reference_sections(std::string_view model) {
  if (model == "percpu-ref") {
    return section("killed while it has a user",
                   trace_of_reference(model, {{"grace_period", ns(1000)}}));
  }
  if (model == "snzi") {
    return section("a leaf a node", trace_of_reference(model, {})) +
           section("a leaf a CPU", trace_of_reference(model, {{"leaves", std::string("cpu")}}));
  }
  return section("three users", trace_of_reference(model, {}));
}

std::string sections(const model::Entry& row) {
  if (row.kind == model::Kind::kLock) return lock_sections(row.name, "", {});
  // A whole table of BRAVO's would fill the trace.
  if (row.name == "bravo") {
    return shared_lock_sections(row.name, ", table of 8", {{"table", std::int64_t{8}}});
  }
  if (model::has_readers(row.kind)) return shared_lock_sections(row.name, "", {});
  if (row.kind == model::Kind::kCounter)
    return section("uncontended", trace_of_counter(row.name, {}));
  if (row.kind == model::Kind::kReference) return reference_sections(row.name);
  if (row.kind == model::Kind::kConditionVariable) return condition_sections(row.name);
  if (row.kind == model::Kind::kRcu) return rcu_sections(row.name);
  return section("uncontended", trace_of_counter(row.name, {})) +
         section("a reference", trace_of_reference(row.name, {{"initial", std::int64_t{1}}})) +
         section("adds while the lock is held", trace_of_adds_under_lock(row.name));
}

/// Parameters that change the operations.
std::string further_sections(std::string_view model) {
  if (model == "ticket") {
    return lock_sections(model, ", split lines", {{"layout", std::string("split-lines")}}) +
           lock_sections(model, ", proportional back-off", {{"backoff", std::int64_t{10}}});
  }
  if (model == "ttas") {
    return lock_sections(model, ", back-off", {{"backoff", std::string("exponential")}});
  }
  if (model == "cna") {
    const model::ParamValues sorts{{"shuffle_reduction", std::int64_t{0}}};
    const model::ParamValues flushes{{"shuffle_reduction", std::int64_t{0}},
                                     {"threshold", ns(3000)}};
    return section("waiters on two nodes", trace_of_two_nodes(model, sorts)) +
           section("waiters on two nodes, threshold 3 us", trace_of_two_nodes(model, flushes));
  }
  if (model == "hmcs") {
    return section("waiters on two nodes", trace_of_two_nodes(model, {})) +
           section("waiters on two nodes, threshold 2",
                   trace_of_two_nodes(model, {{"threshold", std::int64_t{2}}}));
  }
  if (model == "c-bo-mcs" || model == "c-tkt-tkt") {
    return section("waiters on two nodes, batch 1",
                   trace_of_two_nodes(model, {{"batch", std::int64_t{1}}}));
  }
  if (model == "shfl-lock") return section("waiters on two nodes", trace_of_two_nodes(model, {}));
  if (model == "pv-qspinlock") {
    const model::ParamValues short_polls{{"polls", std::int64_t{40}}};
    const model::ParamValues longer_polls{{"polls", std::int64_t{100}}};
    return section("1 waiter, which halts", trace_of_lock(model, short_polls, 2)) +
           section("a newcomer steals from a head that has halted",
                   trace_of_lock(model, short_polls, 3)) +
           section("2 waiters, which both halt", trace_of_lock(model, longer_polls, 3));
  }
  if (model == "mutex") return lock_sections(model, ", without spinning", {{"spin", false}});
  if (model == "debug-spinlock") {
    return lock_sections(model, ", ticket", {{"raw", std::string("ticket")}}) +
           lock_sections(model, ", gives up trying after 2 us", {{"lockup_after", ns(2000)}});
  }
  if (model == "qrwlock") {
    return shared_lock_sections(model, ", in an interrupt",
                                {{"context", std::string("interrupt")}});
  }
  if (model == "percpu-counter") {
    return section("batch 2", trace_of_counter(model, {{"batch", std::int64_t{2}}})) +
           section("without the pointer", trace_of_counter(model, {{"pointer", false}}));
  }
  if (model == "vmstat") {
    return section("threshold 1", trace_of_counter(model, {{"threshold", std::int64_t{1}}}));
  }
  if (model == "atomic") return section("returns", trace_of_counter(model, {{"returns", true}}));
  return "";
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("every model issues the operations of its golden trace") {
  const bool approve = std::getenv("HOTLINE_APPROVE") != nullptr;
  for (const model::Entry& row : models::built_in()) {
    const std::string path = "tests/model/golden/" + std::string(row.name) + ".txt";
    const std::string trace = sections(row) + further_sections(row.name);
    if (approve) {
      std::ofstream(path, std::ios::binary) << trace;
    } else {
      INFO(path << "; run tests/approve if the change is meant");
      CHECK(trace == contents(path));
    }
  }
}

}  // namespace
}  // namespace hotline::tests
