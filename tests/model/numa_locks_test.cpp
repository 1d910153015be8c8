#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/loops.hpp"

// What the NUMA-aware locks are there for: hand-overs that stay in a node, and how long they may.

namespace hotline::tests {
namespace {

constexpr std::uint32_t kPerNode = 8;

/// Notes who gets the lock, and when.
class Succession final : public Watcher {
 public:
  explicit Succession(Rig& rig) : rig_(rig) {}

  void begins(std::uint32_t) override {}
  void acquired(std::uint32_t thread) override {
    const std::uint32_t node = thread / kPerNode;
    const engine::SimTime now = rig_.simulator().now();
    if (runs_.empty() || runs_.back().node != node) runs_.push_back({node, 0, now, now});
    ++runs_.back().length;
    runs_.back().last = now;
  }

  double local_share() const {
    std::uint64_t all = 0;
    for (const Run& run : runs_) all += run.length;
    return 1.0 - static_cast<double>(runs_.size()) / static_cast<double>(all);
  }
  std::uint32_t runs() const { return static_cast<std::uint32_t>(runs_.size()); }
  std::uint32_t longest() const {
    std::uint32_t most = 0;
    for (const Run& run : runs_) most = std::max(most, run.length);
    return most;
  }
  double longest_ns() const {
    double most = 0;
    for (const Run& run : runs_) most = std::max(most, (run.last - run.first).ns());
    return most;
  }

 private:
  /// Acquisitions in a row by threads of one node.
  struct Run {
    std::uint32_t node;
    std::uint32_t length;
    engine::SimTime first;
    engine::SimTime last;
  };

  Rig& rig_;
  std::vector<Run> runs_;
};

/// Sixteen threads on two nodes; nearly all wait, in an order that think times mix.
struct Contest {
  explicit Contest(std::string_view model, model::ParamValues params = {})
      : rig({two_sockets(kPerNode), 2 * kPerNode, model, std::move(params)}), succession(rig) {
    spawn_loops(rig,
                {.rounds = 1'000'000, .hold = ns(400), .think = ns(1000), .random_think = true},
                log, &succession);
    rig.simulator().run_until(engine::SimTime() + ns(2'000'000));
  }
  Rig rig;
  LoopLog log;
  Succession succession;
};

const model::ParamValues kAlwaysSorts{{"shuffle_reduction", std::int64_t{0}}};

TEST_CASE("NUMA-aware locks stay in a node, qspinlock and MCS do not") {
  CHECK(Contest("mcs").succession.local_share() < 0.55);
  CHECK(Contest("qspinlock").succession.local_share() < 0.55);
  CHECK(Contest("cna").succession.local_share() > 0.85);
  CHECK(Contest("cna", kAlwaysSorts).succession.local_share() > 0.95);
  CHECK(Contest("hmcs").succession.local_share() > 0.95);
  CHECK(Contest("c-bo-mcs").succession.local_share() > 0.95);
  CHECK(Contest("c-tkt-tkt").succession.local_share() > 0.95);
  CHECK(Contest("shfl-lock").succession.local_share() > 0.95);
}

TEST_CASE("hmcs and the ticket cohort lock go to the other node after as many as they say") {
  const Contest hmcs("hmcs", {{"threshold", std::int64_t{10}}});
  CHECK(hmcs.succession.longest() == 10);
  CHECK(hmcs.succession.runs() > 300);
  // The first of a batch has not been handed over.
  const Contest cohort("c-tkt-tkt", {{"batch", std::int64_t{10}}});
  CHECK(cohort.succession.longest() == 11);
  CHECK(cohort.succession.runs() > 300);
}

TEST_CASE("the back-off cohort lock gives up the top lock after a batch, and wins it again") {
  // The next local waiter sees the release first; the other node's first one is in its back-off.
  const Contest cohort("c-bo-mcs", {{"batch", std::int64_t{10}}});
  CHECK(cohort.succession.longest() > 1000);
}

TEST_CASE(
    "cna stays in a node as long as its threshold says, or as the hand-overs of its queue take") {
  for (const std::uint64_t threshold : {2'000UL, 10'000UL}) {
    model::ParamValues params = kAlwaysSorts;
    params["threshold"] = ns(threshold);
    const Contest cna("cna", params);
    INFO(threshold << " ns: " << cna.succession.longest_ns());
    CHECK(cna.succession.longest_ns() > 0.8 * static_cast<double>(threshold));
    // A flushed queue of this node's own waiters may come first: eight hand-overs.
    CHECK(cna.succession.longest_ns() < static_cast<double>(threshold) + 8 * 500);
  }
}

TEST_CASE("cna with fewer shuffles finds its second queue later, but finds it") {
  const Contest eager("cna", {{"shuffle_reduction", std::int64_t{0}}, {"threshold", ns(3000)}});
  const Contest calm("cna", {{"shuffle_reduction", std::int64_t{5}}, {"threshold", ns(3000)}});
  CHECK(calm.succession.local_share() < eager.succession.local_share());
  CHECK(calm.succession.local_share() > Contest("qspinlock").succession.local_share());
}

}  // namespace
}  // namespace hotline::tests
