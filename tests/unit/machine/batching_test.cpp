// Serving the waiters of a changed line in one event an agent changes no time and no count.

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/machine/waiting.hpp"

namespace hotline::tests {

namespace {

using machine::Description;
using machine::Protocol;
using machine::TakeUp;

struct Case {
  std::string name;
  Description machine;
  std::uint32_t threads;
};

Description with(Description d, TakeUp agents, TakeUp homes) {
  if (d.cluster_agent) d.cluster_agent->take_up = agents;
  if (d.socket_agent) d.socket_agent->take_up = agents;
  d.home.take_up = homes;
  return d;
}

Description with(Description d, Protocol protocol) {
  d.protocol = protocol;
  return d;
}

Description with_far_adds(Description d) {
  d.far.add = true;
  d.far.fetch_add = true;
  return d;
}

Description with_siblings(Description d) {
  d.threads_per_core = 2;
  return d;
}

Description with_prefetch(Description d) {
  d.adjacent_line_prefetch = true;
  return d;
}

Description with_store_prefetch(Description d) {
  d.core.store_prefetch = true;
  return d;
}

std::vector<Case> cases() {
  const TakeUp dispatch = TakeUp::kDispatch;
  const TakeUp completion = TakeUp::kCompletion;
  return {
      {"one even socket", even_sockets(1, 16), 16},
      {"one uneven socket", uneven_sockets(1, 16), 16},
      {"four even sockets", even_sockets(4, 16), 64},
      {"four uneven sockets", uneven_sockets(4, 16), 64},
      {"stores that ask ahead", with_store_prefetch(uneven_sockets(4, 4)), 16},
      {"MESIF", with(uneven_sockets(4, 4), Protocol::kMesif), 16},
      {"MOESI", with(uneven_sockets(4, 4), Protocol::kMoesi), 16},
      {"dispatch", with(uneven_sockets(2, 8), dispatch, dispatch), 16},
      {"completion", with(uneven_sockets(2, 8), completion, completion), 16},
      {"clusters below homes", clusters_below_homes(2, 3, 4), 24},
      {"clusters below sockets", clusters_below_sockets(2, 3, 4), 24},
      {"cores below homes", bare_cores(2, 8), 16},
      {"far adds", with_far_adds(even_sockets(2, 8)), 16},
      {"every sibling busy", with_siblings(even_sockets(2, 4)), 16},
      {"some siblings busy", with_siblings(even_sockets(1, 8)), 12},
      {"adjacent-line prefetch", with_prefetch(even_sockets(1, 16)), 16},
      {"8176", xeon8176(4), 112},
      {"Graviton2", graviton2(), 32},
      {"gem5's crossbar", gem5_crossbar(16), 16},
  };
}

void require_same_course(WaitingSetup setup, const std::string& name) {
  for (const Pattern pattern : kPatterns) {
    setup.pattern = pattern;
    const Course batched = run_pattern(setup, true);
    const Course single = run_pattern(setup, false);
    INFO(name << ", pattern " << static_cast<int>(pattern) << ", "
              << (setup.pace == Pace::kPause ? "with" : "without") << " pause");
    CHECK(difference(batched, single) == "");
  }
}

/// Sixteen threads take sixty-four times as many tickets each, so that the start weighs the same.
double events_a_hand_over(const Description& machine, std::uint32_t threads, bool compact,
                          bool batching = true) {
  WaitingSetup setup;
  setup.machine = machine;
  setup.pattern = Pattern::kTicketSplit;
  setup.threads = threads;
  setup.compact = compact;
  setup.rounds = 4096 / threads;
  const Course course = run_pattern(setup, batching);
  return static_cast<double>(course.events) / (threads * setup.rounds);
}

void require_events_grow_at_most(const Description& machine, bool compact, double most) {
  const double few = events_a_hand_over(machine, 16, compact);
  const double many = events_a_hand_over(machine, 1024, compact);
  INFO(machine.sockets << " sockets, " << (compact ? "first CPUs" : "spread") << ", 16 threads: "
                       << few << ", 1,024 threads: " << many << " events a hand-over");
  CHECK(many < most * few);
}

}  // namespace

TEST_CASE("batched waiters run the same course as single ones, on every kind of machine") {
  for (const Case& each : cases()) {
    for (const Pace pace : {Pace::kTight, Pace::kPause}) {
      WaitingSetup setup;
      setup.machine = each.machine;
      setup.threads = each.threads;
      setup.pace = pace;
      require_same_course(setup, each.name);
    }
  }
}

TEST_CASE("batched waiters run the same course when ties are shuffled") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const Case& each : {cases()[0], cases()[3], cases()[9]}) {
      WaitingSetup setup;
      setup.machine = each.machine;
      setup.threads = each.threads;
      setup.ties = {.shuffle = true, .seed = seed};
      require_same_course(setup, each.name);
    }
  }
}

TEST_CASE("batched waiters run the same course when all holds and pauses between are equal") {
  for (const Case& each : cases()) {
    WaitingSetup setup;
    setup.machine = each.machine;
    setup.threads = each.threads;
    setup.hold = {};
    setup.think = {};
    require_same_course(setup, each.name);
  }
}

TEST_CASE("a ticket lock of 1,024 threads takes at most 4 times the events of one of 16") {
  require_events_grow_at_most(even_sockets(1, 1024), true, 4);
  require_events_grow_at_most(even_sockets(8, 128), true, 4);
  require_events_grow_at_most(uneven_sockets(8, 128), true, 4);
  require_events_grow_at_most(even_sockets(8, 128), false, 4);
  require_events_grow_at_most(even_sockets(16, 64), false, 4);
  require_events_grow_at_most(even_sockets(64, 16), true, 4);
  require_events_grow_at_most(uneven_sockets(64, 16), true, 4);
  require_events_grow_at_most(even_sockets(64, 16), false, 4);
}

TEST_CASE(
    "a ticket lock's events grow neither with its waiters nor with the agents that have some") {
  const double one = events_a_hand_over(even_sockets(64, 2), 64, false);
  const double sixteen = events_a_hand_over(even_sockets(64, 16), 1024, false);
  INFO("64 sockets: one waiter each " << one << ", sixteen each " << sixteen);
  CHECK(sixteen < 1.3 * one);
}

TEST_CASE("without batching a ticket lock's events grow with its waiters") {
  const Description machine = even_sockets(8, 16);
  CHECK(events_a_hand_over(machine, 128, false, false) >
        5 * events_a_hand_over(machine, 128, false, true));
}

}  // namespace hotline::tests
