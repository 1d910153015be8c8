// Who supplies a line and who has it in which state; trees of one, two and no levels of agents;
// lines, words and sharer sets of all sizes.

#include <vector>

#include "sim/machine/transfer.hpp"
#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Description;
using machine::Protocol;
using machine::TakeUp;

struct Supplier : machine::Probe {
  void transferred(LineId, CoreId source, CoreId, bool, SimTime) override { from = source; }
  CoreId from{~0U};
};

/// Which core's domain supplies the third reader after a write on core 0 and a read on core 1;
/// ~0 for memory.
std::uint32_t supplier_of_third_reader(Protocol protocol, Duration memory) {
  Description d = even_sockets(4, 1);
  d.protocol = protocol;
  d.home.memory = memory;
  Rig rig(d);
  const Word word = rig.word(3);
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  time_of(rig, rig.thread(1).load(word));
  Supplier supplier;
  rig.machine().set_probe(&supplier);
  time_of(rig, rig.thread(2).load(word));
  rig.machine().set_probe(nullptr);
  return supplier.from.value;
}

std::string states_after_write_and_read(Protocol protocol) {
  Description d = bare_cores(1, 3);
  d.protocol = protocol;
  Rig rig(d);
  const Word word = rig.word();
  std::string states;
  const auto note = [&] {
    for (std::uint32_t core = 0; core < 3; ++core) {
      states += rig.machine().state({core}, word.line);
    }
    states += ' ';
  };
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  note();
  time_of(rig, rig.thread(1).load(word));
  note();
  time_of(rig, rig.thread(2).load(word));
  note();
  time_of(rig, rig.thread(1).fetch_add(word, 1));
  note();
  return states;
}

Task<> alternate(Thread& self, Word mine, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    co_await self.fetch_add(mine, 1);
  }
}

/// How long two cores take to count up in two words.
Duration two_counters(const Description& machine, std::uint32_t distance) {
  Rig rig(machine);
  const machine::Address start = rig.machine().allocate(256, {0}, "pair");
  const Word first = rig.machine().word(start, 8);
  const Word second = rig.machine().word(start + distance, 8);
  rig.spawn(alternate(rig.thread(0), first, 200));
  rig.spawn(alternate(rig.thread(1), second, 200));
  rig.run();
  CHECK(rig.machine().peek(first) == 200);
  CHECK(rig.machine().peek(second) == 200);
  return rig.now() - SimTime();
}

Task<> read_all(Thread& self, Word word) { co_await self.load(word); }

}  // namespace

TEST_CASE("after a write and a read, MESI has the third copy from memory") {
  CHECK(supplier_of_third_reader(Protocol::kMesi, ns(500)) == ~0U);
}

TEST_CASE("after a write and a read, MESIF has the third copy from the last reader") {
  CHECK(supplier_of_third_reader(Protocol::kMesif, ns(500)) == 1);
}

TEST_CASE("MESIF takes memory's copy where that comes sooner") {
  CHECK(supplier_of_third_reader(Protocol::kMesif, ns(1)) == ~0U);
}

TEST_CASE("under MOESI the writer keeps the dirty line and supplies it, however fast memory is") {
  CHECK(supplier_of_third_reader(Protocol::kMoesi, ns(500)) == 0);
  CHECK(supplier_of_third_reader(Protocol::kMoesi, ns(1)) == 0);
}

TEST_CASE("states of a written, read, read again and rewritten line") {
  CHECK(states_after_write_and_read(Protocol::kMesi) == "MII SSI SSS IMI ");
  CHECK(states_after_write_and_read(Protocol::kMesif) == "MII SFI SSF IMI ");
  CHECK(states_after_write_and_read(Protocol::kMoesi) == "MII OSI OSS IMI ");
}

TEST_CASE("a first reader has the line exclusive, a second reader takes that away") {
  for (const Description& d : {even_sockets(2, 2), clusters_below_sockets(1, 2, 2),
                               clusters_below_homes(1, 2, 2), bare_cores(2, 2)}) {
    Rig rig(d);
    const Word word = rig.word();
    time_of(rig, rig.thread(0).load(word));
    CHECK(rig.machine().state({0}, word.line) == 'E');
    time_of(rig, rig.thread(3).load(word));
    CHECK(rig.machine().state({0}, word.line) != 'E');
    CHECK(rig.machine().state({3}, word.line) != 'E');
    CHECK(rig.machine().state({3}, word.line) != 'I');
  }
}

TEST_CASE("a transfer climbs no higher than the lowest agent that has both cores below it (P8)") {
  Rig rig(clusters_below_sockets(2, 2, 2));
  const auto path = [&](std::uint32_t from, std::uint32_t to) {
    std::string names;
    const machine::Transfer transfer =
        machine::transfer_path(rig.topology(), {from}, {to}, {1}, LineId{0});
    for (const machine::TransferLeg& leg : transfer.legs) names += leg.what + '\n';
    return names;
  };
  CHECK_THAT(path(0, 1), !contains_text("socket agent"));
  CHECK_THAT(path(0, 2), contains_text("socket agent 0"));
  CHECK_THAT(path(0, 2), !contains_text("home"));
  CHECK_THAT(path(0, 4), contains_text("home on node 1"));
}

TEST_CASE("between clusters without a common agent, the home's place decides the cost (P8)") {
  const auto between_clusters = [](const Description& d, std::uint32_t home) {
    Rig rig(d);
    const Word word = rig.word(home);
    time_of(rig, rig.thread(0).exchange(word, 1));
    return time_of(rig, rig.thread(2).compare_exchange(word, 1, 2));
  };
  // AMD: the home's filter is visited, so a home on the other socket costs its link twice.
  const Description zen = clusters_below_homes(2, 2, 2);
  const Duration directory = zen.home.directory;
  CHECK(between_clusters(zen, 1) == between_clusters(zen, 0) + ns(80) + directory);
  // Intel: the transfer stays in the socket.
  const Description xeon = even_sockets(2, 4);
  CHECK(between_clusters(xeon, 1) == between_clusters(xeon, 0));
}

TEST_CASE("words of one line contend, words of two lines do not, with lines of 64 and 128 bytes") {
  Description d = even_sockets(1, 2);
  const Duration apart = two_counters(d, 128);
  CHECK(two_counters(d, 64) == apart);
  CHECK(two_counters(d, 56) > 2 * apart);
  d.line_bytes = 128;
  CHECK(two_counters(d, 128) == apart);
  CHECK(two_counters(d, 64) > 2 * apart);
}

TEST_CASE("adjacent-line prefetch makes pairs of lines bounce together") {
  Description d = even_sockets(1, 2);
  const Duration apart = two_counters(d, 64);
  d.adjacent_line_prefetch = true;
  CHECK(two_counters(d, 64) > apart + apart / 10);
  CHECK(two_counters(d, 128) < apart + apart / 10);
}

Task<> store_all(Thread& self, const std::vector<Word>& words) {
  for (const Word word : words) co_await self.store(word, 7);
  co_await self.fence();
}

/// How long three stores to lines of another core take until they are performed.
Duration three_stores(const Description& d) {
  Rig rig(d);
  const std::vector<Word> words{rig.word(), rig.word(), rig.word()};
  for (const Word word : words) time_of(rig, rig.thread(1).fetch_add(word, 1));
  const SimTime begin = rig.now();
  rig.spawn(store_all(rig.thread(0), words));
  rig.run();
  const Duration time = rig.now() - begin;
  for (const Word word : words) CHECK(rig.machine().peek(word) == 7);
  CHECK(rig.machine().counts().ownerships == 6);
  return time;
}

TEST_CASE("stores that ask for their lines when they enter the buffer overlap their transfers") {
  Description d = even_sockets(1, 2);
  const Duration one_by_one = three_stores(d);
  d.core.store_prefetch = true;
  CHECK(three_stores(d) < one_by_one / 2);
}

TEST_CASE("operations of 8, 16, 32 and 64 bits work on their own bytes of a line") {
  Rig rig(even_sockets(1, 2));
  const Word whole = rig.word();
  rig.machine().poke(whole, 0x1122334455667788);
  const Word byte = rig.beside(whole, 3, 1);
  const Word half = rig.beside(whole, 6, 2);
  const Word low = rig.beside(whole, 0, 4);
  Thread& self = rig.thread(0);
  time_of(rig, self.store(byte, 0xFFAB));
  time_of(rig, self.fetch_add(half, 0xFFFF));
  time_of(rig, self.fence());
  CHECK(rig.machine().peek(whole) == 0x11213344AB667788);
  time_of(rig, rig.thread(1).compare_exchange(low, 0xAB667788, 0x01020304));
  time_of(rig, rig.thread(1).fetch_or(rig.beside(whole, 4, 1), 0xF0));
  time_of(rig, rig.thread(1).fetch_and(rig.beside(whole, 7, 1), 0x0F));
  time_of(rig, rig.thread(1).exchange(rig.beside(whole, 1, 1), 0x77));
  CHECK(rig.machine().peek(whole) == 0x012133F401027704);
}

TEST_CASE("a new owner in another domain begins only when all copies of the old domain are gone") {
  Description d = even_sockets(2, 9);
  d.socket_agent->hop = {ns(1), ns(100)};  // copies far from the agent, the requester near it
  d.socket_agent->fabric = ns(1);
  d.links = {{NodeId{0}, NodeId{1}, ns(1), ns(1)}};
  d.core.fill = {};
  for (const TakeUp take_up : {TakeUp::kDispatch, TakeUp::kResponse, TakeUp::kCompletion}) {
    d.socket_agent->take_up = take_up;
    d.home.take_up = take_up;
    for (std::uint32_t requester = 9; requester < 18; ++requester) {
      Rig rig(d);
      const Word word = rig.word();
      time_of(rig, rig.thread(0).fetch_add(word, 1));
      for (std::uint32_t cpu = 1; cpu < 9; ++cpu) time_of(rig, rig.thread(cpu).load(word));
      Duration taken;
      rig.spawn(timed(rig, rig.thread(requester).fetch_add(word, 1), taken));
      while (taken == Duration{}) {
        rig.run_for(ns(1));
        rig.machine().check_single_writer();
      }
      rig.run();
    }
  }
}

TEST_CASE("a line can have 4,096 sharers, in one domain or in many") {
  for (const Description& d : {even_sockets(1, 4096), even_sockets(64, 64)}) {
    Rig rig(d);
    const Word word = rig.word();
    for (std::uint32_t cpu = 0; cpu < 4096; ++cpu) rig.spawn(read_all(rig.thread(cpu), word));
    rig.run();
    for (std::uint32_t core = 0; core < 4096; ++core) {
      REQUIRE(rig.machine().state({core}, word.line) == 'S');
    }
    rig.machine().reset_statistics();
    time_of(rig, rig.thread(4000).fetch_add(word, 1));
    CHECK(rig.machine().counts().invalidations == 4095);
    CHECK(rig.machine().counts().upgrades == 1);
    CHECK(rig.machine().state({4000}, word.line) == 'M');
    CHECK(rig.machine().state({4095}, word.line) == 'I');
  }
}

}  // namespace hotline::tests
