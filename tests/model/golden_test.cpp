#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "models/catalog.hpp"
#include "tests/catch.hpp"
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

std::string section(const std::string& title, const std::string& body) {
  return "== " + title + "\n" + body + "\n";
}

std::string lock_sections(std::string_view model, const std::string& with,
                          const model::ParamValues& params) {
  std::string text = section("uncontended" + with, trace_of_lock(model, params, 1));
  // Who of several waiters wins an unfair lock is the machine's affair, not the algorithm's.
  const bool orderly = entry(model).promises.fifo || model == "qspinlock";
  for (const std::uint32_t waiters : {1U, 2U, 4U}) {
    if (waiters > 1 && !orderly) break;
    text += section(std::to_string(waiters) + (waiters == 1 ? " waiter" : " waiters") + with,
                    trace_of_lock(model, params, waiters + 1));
  }
  return text;
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
  return section("uncontended", trace_of_counter(row.name, {})) +
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
