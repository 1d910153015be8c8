#include <string_view>
#include <utility>
#include <vector>

#include "sim/machine/transfer.hpp"
#include "tests/catch.hpp"
#include "tests/scenario/support.hpp"

// What the micro workloads are there to show.
namespace hotline::tests {

TEST_CASE("a hammered word costs less an operation than one transfer of its line") {
  const auto hammer = workload::Workload::load("workloads/micro/hammer.yaml");
  const machine::Topology topology(hammer.scenario("fetch-add").machine);
  const double transfer = machine::mean_transfer(topology, {0}, {5}, {0}).ns();
  const double operation = run({"micro/hammer.yaml", "fetch-add", 16}).ns_each;
  CHECK(operation < 0.75 * transfer);
}

TEST_CASE("polling before writing makes a hand-off two to three times as long") {
  const double blind = run({"micro/ping-pong-blind.yaml", "base"}).ns_each;
  for (const char* const variant : {"compare-exchange", "increment", "store"}) {
    const double polled = run({"micro/ping-pong-load-first.yaml", variant}).ns_each;
    CHECK(polled > 1.5 * blind);
    CHECK(polled < 3.5 * blind);
  }
}

TEST_CASE("a ping-pong takes longer the farther apart its players are") {
  const auto across = [](std::string_view cpu) {
    return run({"micro/ping-pong-blind.yaml", "base", 0, 1.0, {cpu}}).ns_each;
  };
  const double sibling = across("threads.pong.cpus=[224]");
  const double socket = across("threads.pong.cpus=[5]");
  const double neighbour = across("threads.pong.cpus=[28]");
  const double other_half = across("threads.pong.cpus=[112]");
  CHECK(sibling < socket);
  CHECK(socket < neighbour);
  CHECK(neighbour < other_half);
}

TEST_CASE("a racy counter loses nearly all but one in N increments, an atomic one none") {
  for (const std::uint32_t threads : {2U, 4U, 8U}) {
    const Outcome plain = run({"micro/racy-counter.yaml", "plain", threads});
    const double lost = 1.0 - static_cast<double>(plain.total) / static_cast<double>(plain.work);
    CHECK(lost == Approx(1.0 - 1.0 / threads).margin(0.1));
    const Outcome atomic = run({"micro/racy-counter.yaml", "atomic", threads});
    CHECK(atomic.total == static_cast<std::int64_t>(atomic.work));
  }
}

TEST_CASE("the second operation on a reference mostly finds the line where it is") {
  const double reference = run({"micro/refcount.yaml", "base", 16}).ns_each;
  const double operation = run({"micro/hammer.yaml", "fetch-add", 16}).ns_each;
  CHECK(reference < 2.6 * operation);
}

TEST_CASE("readers that write nothing shared scale, those that share a word do not") {
  const auto passes = [](std::string_view lock, std::vector<std::string_view> changes) {
    return run({"micro/read-mostly.yaml", lock, 28, 0.5, std::move(changes)}).work_per_us;
  };
  const double exclusive = passes("qspinlock", {});
  const double word = passes("qrwlock", {});
  const double nothing = passes("seqlock", {});
  CHECK(word > 2 * exclusive);
  CHECK(nothing > 3 * word);
  // A writer of brlock goes through 448 CPUs' locks: with one write in twenty it is the slowest.
  CHECK(passes("brlock", {}) > word);
  CHECK(passes("brlock", {"writes=50"}) < passes("qspinlock", {"writes=50"}));
  // BRAVO's bias is worth most if nobody writes, and is held off if many do.
  CHECK(passes("bravo", {"writes=0"}) > 3 * passes("qrwlock", {"writes=0"}));
  CHECK(passes("bravo", {"writes=50"}) > 0.6 * passes("qrwlock", {"writes=50"}));
}

TEST_CASE("grace periods one after the other take whole ticks, expedited ones interrupts") {
  const auto takes = [](std::string_view variant) {
    return run({"micro/grace-period.yaml", variant, 0, 0.5}).ns_each / 1e6;  // ms
  };
  // Published for serial grace periods: 8.05 ms and 20.0 ms, at a HZ that is not stated.
  CHECK(takes("hz-1000") == Approx(6.0).margin(0.5));
  CHECK(takes("normal") == Approx(16.0).margin(1.0));
  CHECK(takes("hz-100") == Approx(40.0).margin(2.5));
  CHECK(takes("expedited") < 0.12);  // published on four CPUs, with the rest of a umount
  CHECK(takes("expedited-rt") > takes("normal"));
}

TEST_CASE(
    "readers under RCU cost next to nothing, under a reference count they wait for its line") {
  const auto look_ups = [](std::string_view domain) {
    return run({"micro/rcu-rivals.yaml", domain, 28, 0.3}).work_per_us;
  };
  const double rcu = look_ups("rcu");
  CHECK(look_ups("srcu") > 0.9 * rcu);
  CHECK(look_ups("hazard-pointers") > 0.9 * rcu);
  CHECK(look_ups("reference-count") < 0.4 * rcu);
}

}  // namespace hotline::tests
