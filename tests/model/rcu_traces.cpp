#include "tests/model/rcu_traces.hpp"

#include <memory>

#include "tests/model/rcu_rig.hpp"
#include "tests/model/reader_traces.hpp"
#include "tests/model/trace.hpp"

namespace hotline::tests {

namespace {

using engine::Task;
using os::Preemption;

class Nothing final : public model::RcuCallback {
 public:
  Nothing(Trace& trace, std::uint32_t& done) : trace_(trace), done_(done) {}
  Task<> invoke(model::Thread& self) override {
    trace_.heading(self.cpu().value, "callback");
    ++done_;
    co_await self.compute(ns(1));
  }

 private:
  Trace& trace_;
  std::uint32_t& done_;
};

Task<> read_twice(RcuRig& rig, Trace& trace) {
  os::Thread& self = rig.thread(0);
  for (int k = 0; k < 2; ++k) {
    trace.heading(0, "read_lock");
    const model::ReadToken token = co_await rig.rcu().read_lock(self);
    trace.heading(0, "read_unlock");
    co_await rig.rcu().read_unlock(self, token);
  }
}

std::string trace_of_reader(std::string_view model, Preemption preemption) {
  RcuRig rig({traced_machine(), ticking(1000, preemption), 1, model});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  rig.start(0, read_twice(rig, trace));
  rig.run();
  return trace.text();
}

Task<> wait_then_call(RcuRig& rig, Trace& trace, bool expedited, std::uint32_t& done) {
  os::Thread& self = rig.thread(0);
  trace.heading(0, expedited ? "synchronize_expedited" : "synchronize");
  if (expedited) {
    co_await rig.rcu().synchronize_expedited(self);
    co_return;
  }
  co_await rig.rcu().synchronize(self);
  trace.heading(0, "call");
  auto callback = std::make_unique<Nothing>(trace, done);
  co_await rig.rcu().call(self, std::move(callback));
  co_await self.sleep(ms(20));
}

Task<> be_busy(RcuRig& rig) { co_await rig.thread(1).compute(ms(40)); }

/// Thread 0 waits for a grace period and defers a callback behind another; CPU 1 is busy, and two
/// CPUs idle.
std::string trace_of_updater(std::string_view model, Preemption preemption, bool expedited) {
  RcuRig rig({one_socket(4), ticking(1000, preemption), 2, model});
  Trace trace(rig.site().named_words());
  rig.machine().set_probe(&trace);
  std::uint32_t done = 0;
  rig.start(1, be_busy(rig));
  rig.start(0, wait_then_call(rig, trace, expedited, done));
  rig.run();
  return trace.text();
}

std::string section(const std::string& title, const std::string& body) {
  return "== " + title + "\n" + body + "\n";
}

}  // namespace

std::string rcu_sections(std::string_view model) {
  std::string text = section("two sections", trace_of_reader(model, Preemption::kNone)) +
                     section("synchronize, then call, a busy CPU",
                             trace_of_updater(model, Preemption::kNone, false));
  if (model != "rcu") return text;
  text += section("two sections, preemptible", trace_of_reader(model, Preemption::kFull));
  text += section("expedited, a busy CPU", trace_of_updater(model, Preemption::kNone, true));
  text += section("expedited, a busy CPU, preemptible",
                  trace_of_updater(model, Preemption::kFull, true));
  return text + section("expedited, a busy CPU, PREEMPT_RT",
                        trace_of_updater(model, Preemption::kRealTime, true));
}

}  // namespace hotline::tests
