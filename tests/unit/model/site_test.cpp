#include "sim/model/site.hpp"

#include <memory>
#include <set>

#include "sim/engine/simulator.hpp"
#include "sim/machine/topology.hpp"
#include "sim/model/model.hpp"
#include "tests/catch.hpp"

namespace hotline::model {
namespace {

machine::Description two_nodes() {
  machine::Description d;
  d.sockets = 2;
  d.cores_per_cluster = 2;
  d.core.clock = {{1, 1000}};
  d.links = {{{0}, {1}, engine::Duration::from_ps(1000), engine::Duration::from_ps(1000)}};
  return d;
}

struct Ground {
  machine::Topology topology{two_nodes()};
  engine::Simulator simulator;
  machine::Machine machine{simulator, topology};

  Site site(std::optional<machine::Address> at = std::nullopt,
            std::shared_ptr<Commons> commons = nullptr) {
    return {machine, {"thing", {0}, at, {{0}, {1}, {2}}, std::move(commons)}};
  }
};

TEST_CASE("words of a site follow one another, naturally aligned, on one line") {
  Ground ground;
  Site site = ground.site();
  const auto a = site.word("a", 8);
  const auto b = site.word("b", 32);
  const auto c = site.word("c", 16);
  const auto d = site.word("d");
  CHECK(a.offset == 0);
  CHECK(b.offset == 4);
  CHECK(c.offset == 8);
  CHECK(d.offset == 16);
  CHECK(d.line == a.line);
  CHECK(site.named_words().size() == 4);
  CHECK(site.named_words()[3].name == "d");
}

TEST_CASE("a word begins at its initial value and set changes it") {
  Ground ground;
  Site site = ground.site();
  const auto word = site.word("a", 16, 0xBEEF);
  CHECK(site.peek(word) == 0xBEEF);
  site.set(word, 7);
  CHECK(site.peek(word) == 7);
}

TEST_CASE("an overlay is a wider view of the words that follow it") {
  Ground ground;
  Site site = ground.site();
  site.word("first", 8);
  const auto whole = site.overlay("whole", 32);
  const auto low = site.word("low", 8);
  const auto high = site.word("high", 8);
  CHECK(whole.offset == 4);
  CHECK(low.offset == 4);
  CHECK(high.offset == 5);
  site.set(high, 1);
  CHECK(site.peek(whole) == 0x100);
}

TEST_CASE("a full line is followed by another, and new_line and gap leave room") {
  Ground ground;
  Site site = ground.site();
  const auto first = site.word("first");
  site.gap(16);
  const auto second = site.word("second");
  CHECK(second.line == first.line);
  CHECK(second.offset == 24);
  site.new_line();
  const auto third = site.word("third");
  CHECK(third.line != first.line);
  CHECK(third.offset == 0);
  for (int k = 0; k < 7; ++k) CHECK(site.word("filler").line == third.line);
  CHECK(site.word("over").line != third.line);
}

TEST_CASE("a site inside another object lays its words there, aligned") {
  Ground ground;
  const auto base = ground.machine.allocate(128, {0}, "object");
  Site site = ground.site(base + 60);
  const auto lock = site.word("lock", 32);
  const auto count = site.word("count");
  CHECK(lock == ground.machine.word(base + 60, 4));
  CHECK(count == ground.machine.word(base + 64, 8));
}

TEST_CASE("records have lines of their own, at home with their thread or CPU") {
  Ground ground;
  Site site = ground.site();
  const Records nodes = site.per_thread("node", {{"next", 64}, {"waiting", 32}});
  const Records slots = site.per_cpu("slot", {{"count", 32}});
  CHECK(nodes.count() == 3);
  CHECK(slots.count() == 4);
  std::set<std::uint32_t> lines;
  for (std::uint32_t k = 0; k < 3; ++k) lines.insert(nodes.word(k, 0).line.value);
  for (std::uint32_t k = 0; k < 4; ++k) lines.insert(slots.word(k, 0).line.value);
  CHECK(lines.size() == 7);
  CHECK(nodes.word(1, 1).offset == 8);
  CHECK(nodes.word(1, 1).line == nodes.word(1, 0).line);
  CHECK(site.node_of({1}).value == 0);
  CHECK(site.node_of({2}).value == 1);
}

TEST_CASE("a stack of records is packed on each CPU's line and shared by the run's instances") {
  Ground ground;
  const auto commons = std::make_shared<Commons>();
  Site one = ground.site(std::nullopt, commons);
  Site two = ground.site(std::nullopt, commons);
  const auto stack = one.per_cpu_stack("node", {{"next", 64}, {"locked", 32}}, 4);
  CHECK(two.per_cpu_stack("node", {{"next", 64}, {"locked", 32}}, 4) == stack);
  CHECK(stack->word(4, 0).offset == 0);
  CHECK(stack->word(5, 0).offset == 16);
  CHECK(stack->word(4, 0).line == stack->word(7, 1).line);

  for (std::uint64_t k = 0; k < 4; ++k) CHECK(stack->take({1}) == 4 + k);
  CHECK_FALSE(stack->take({1}).has_value());
  CHECK(stack->take({2}) == 8);
  stack->give_back(5);
  CHECK(stack->take({1}) == 5);
}

TEST_CASE("without commons a stack belongs to its instance alone") {
  Ground ground;
  Site one = ground.site();
  Site two = ground.site();
  CHECK(one.per_cpu_stack("node", {{"next", 64}}, 1) !=
        two.per_cpu_stack("node", {{"next", 64}}, 1));
}

TEST_CASE("a narrow word is read as a signed number of its width") {
  const machine::Word narrow{{0}, 0, 4};
  const machine::Word wide{{0}, 0, 8};
  CHECK(signed_value(narrow, 0xFFFFFFFE) == -2);
  CHECK(signed_value(narrow, 5) == 5);
  CHECK(signed_value(wide, ~machine::Value{0}) == -1);
}

}  // namespace
}  // namespace hotline::model
