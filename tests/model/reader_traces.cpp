#include "tests/model/reader_traces.hpp"

#include <optional>
#include <vector>

#include "tests/model/trace.hpp"

namespace hotline::tests {

namespace {

struct Scene {
  Rig& rig;
  Trace& trace;
};

engine::Task<> write_once(Scene scene, std::uint32_t k, engine::Duration arrival) {
  os::Thread& self = scene.rig.thread(k);
  co_await scene.rig.simulator().sleep(arrival);
  scene.trace.heading(k, "acquire as a writer");
  co_await scene.rig.lock().acquire(self);
  co_await self.compute(ns(5000));
  scene.trace.heading(k, "release");
  co_await scene.rig.lock().release(self);
}

engine::Task<> read_again_until_accepted(Scene scene, std::uint32_t k) {
  os::Thread& self = scene.rig.thread(k);
  for (bool again = true; again;) {
    scene.trace.heading(k, "begin to read");
    const model::ReadToken token = co_await scene.rig.sequence_lock().read_begin(self);
    co_await self.compute(ns(5000));
    scene.trace.heading(k, "was it torn?");
    again = co_await scene.rig.sequence_lock().read_retry(self, token);
  }
}

engine::Task<> read_once(Scene scene, std::uint32_t k, engine::Duration arrival) {
  os::Thread& self = scene.rig.thread(k);
  co_await scene.rig.simulator().sleep(arrival);
  if (scene.rig.is_sequence_lock()) {
    co_await read_again_until_accepted(scene, k);
    co_return;
  }
  scene.trace.heading(k, "acquire as a reader");
  const model::ReadToken token = co_await scene.rig.read_write_lock().acquire_read(self);
  co_await self.compute(ns(5000));
  scene.trace.heading(k, "release");
  co_await scene.rig.read_write_lock().release_read(self, token);
}

engine::Task<> try_both(Scene scene) {
  os::Thread& self = scene.rig.thread(0);
  if (!scene.rig.is_sequence_lock()) {
    scene.trace.heading(0, "try as a reader");
    const std::optional<model::ReadToken> token =
        co_await scene.rig.read_write_lock().try_acquire_read(self);
    scene.trace.heading(0, token ? "taken; release" : "not taken");
    if (token) co_await scene.rig.read_write_lock().release_read(self, *token);
  }
  scene.trace.heading(0, "try as a writer");
  const bool taken = co_await scene.rig.lock().try_acquire(self);
  scene.trace.heading(0, taken ? "taken; release" : "not taken");
  if (taken) co_await scene.rig.lock().release(self);
}

std::string uncontended(std::string_view model, const model::ParamValues& params) {
  Rig rig({traced_machine(), 1, model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  rig.simulator().spawn(write_once({rig, trace}, 0, ns(0)));
  rig.run();
  for (int k = 0; k < 2; ++k) {  // the second finds what the first has left behind: BRAVO's bias
    rig.simulator().spawn(read_once({rig, trace}, 0, ns(0)));
    rig.run();
  }
  rig.simulator().spawn(try_both({rig, trace}));
  rig.run();
  return trace.text();
}

/// Readers and writers arrive 1 us apart and stay for 5 us each.
std::string contended(std::string_view model, const model::ParamValues& params,
                      const std::vector<bool>& reads) {
  Rig rig({traced_machine(), static_cast<std::uint32_t>(reads.size()), model, params});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  for (std::uint32_t k = 0; k < reads.size(); ++k) {
    const engine::Duration arrival = ns(1000 * k);
    if (reads[k]) {
      rig.simulator().spawn(read_once({rig, trace}, k, arrival));
    } else {
      rig.simulator().spawn(write_once({rig, trace}, k, arrival));
    }
  }
  rig.run();
  return trace.text();
}

}  // namespace

machine::Description traced_machine() {
  machine::Description d = one_socket(5);
  d.consistency = machine::Consistency::kSc;
  return d;
}

std::string shared_lock_sections(std::string_view model, const std::string& title,
                                 const model::ParamValues& params) {
  constexpr bool kReader = true;
  constexpr bool kWriter = false;
  const auto section = [&](const std::string& what, const std::string& body) {
    return "== " + what + title + "\n" + body + "\n";
  };
  return section("uncontended", uncontended(model, params)) +
         section("a reader after a writer", contended(model, params, {kWriter, kReader})) +
         section("a writer after a reader", contended(model, params, {kReader, kWriter})) +
         section("a reader after a reader and a writer",
                 contended(model, params, {kReader, kWriter, kReader}));
}

}  // namespace hotline::tests
