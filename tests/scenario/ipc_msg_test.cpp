#include <cmath>

#include "tests/catch.hpp"
#include "tests/scenario/figures.hpp"
#include "tests/scenario/support.hpp"

// workloads/kernel/ipc-msg-percpu.yaml: the ipc namespace's counters, before and after their patch.
namespace hotline::tests {
namespace {

constexpr std::string_view kFile = "kernel/ipc-msg-percpu.yaml";

Outcome ipc(std::string_view variant, std::uint32_t threads, double scale = 0.5) {
  return run({kFile, variant, threads, scale});
}

/// Counts the locked operations performed on the line of one word.
class RmwCounter : public machine::Probe {
 public:
  void performed(machine::CpuId, const machine::Access& access, machine::Value, bool,
                 machine::SimTime) override {
    const bool locked = access.op == machine::Op::kAdd || access.op == machine::Op::kFetchAdd ||
                        access.op == machine::Op::kCompareExchange;
    if (locked && access.word.line == line) ++count;
  }
  machine::LineId line;
  std::uint64_t count = 0;
};

/// Locked operations on the counters' line for each send, by one worker.
double locked_operations_a_send(std::string_view variant) {
  const auto read = workload::Workload::load("workloads/" + std::string(kFile));
  workload::Overrides one;
  one.threads = 1;
  one.changes.push_back(workload::parse_change("measure.warm_up=0ns", "test"));
  RmwCounter counter;
  workload::Run run(read.scenario(variant, one), {.probe = &counter});
  for (const workload::WordName& word : run.words()) {
    if (word.name.starts_with("ns.msg_bytes.")) counter.line = word.word.line;
  }
  run.run();
  return static_cast<double>(counter.count) / static_cast<double>(run.work({0}));
}

}  // namespace

TEST_CASE("one worker sends as often as was measured on one CPU") {
  CHECK(ipc("before", 1, 2.0).work_per_us == Approx(0.85).epsilon(0.02));
}

TEST_CASE("a send and its receive make four locked adds before the patch and none after") {
  CHECK(locked_operations_a_send("before") == Approx(4.0).margin(0.05));
  // What is left are the locks of the sums, once in 256 sends.
  CHECK(locked_operations_a_send("after") < 0.05);
}

TEST_CASE("before the patch 160 workers wait for the line of both counters") {
  const Outcome before = ipc("before", 160);
  CHECK(before.ending == workload::Ending::kTimeUp);
  CHECK_THAT(before.hottest_line, contains_text("ns.msg_bytes.count, ns.msg_hdrs.count"));
}

TEST_CASE("the patch helps 16 workers and 160, and costs one worker little") {
  const double one = ipc("after", 1, 10.0).work_per_us / ipc("before", 1, 10.0).work_per_us;
  const double sixteen = ipc("after", 16).work_per_us / ipc("before", 16).work_per_us;
  const double all = ipc("after", 160).work_per_us / ipc("before", 160).work_per_us;
  CHECK(one > 0.95);
  CHECK(one < 1.01);
  CHECK(sixteen > 1.5);
  CHECK(all > 3.0);
}

TEST_CASE("the patch is predicted within 20 % of what was published") {
  const Figures figures(std::string(kFile), 160, 2);
  CHECK(std::abs(figures.error("after", "score with the patch as merged")) < 0.20);
}

TEST_CASE("the patched kernel waits where sums keep a writer of the ids rwsem waiting") {
  // With sums that touch no counter (a namespace without MSG_INFO's sums) nobody would.
  const std::vector<std::string_view> no_sums{"functions.msgctl_info=[{compute: 100ns}]"};
  CHECK(run({kFile, "after", 160, 1.0, no_sums}).work_per_us >
        1.25 * ipc("after", 160, 1.0).work_per_us);
}

TEST_CASE("a core that overlaps no loads of a sum lets 160 workers queue for the sums") {
  const std::vector<std::string_view> one_by_one{
      "objects.ns.fields.msg_bytes={at: 704B, model: percpu-counter, with: {overlap: 1}}",
      "objects.ns.fields.msg_hdrs={at: 744B, model: percpu-counter, with: {overlap: 1}}"};
  const double overlapped = ipc("after", 160).work_per_us;
  const double queued = run({kFile, "after", 160, 0.5, one_by_one}).work_per_us;
  CHECK(overlapped > 1.5 * queued);
}

TEST_CASE("four-byte messages never fill a batch of 320, so the control does as the patch does") {
  CHECK(ipc("control-batch-320", 80).fingerprint == ipc("after", 80).fingerprint);
}

}  // namespace hotline::tests
