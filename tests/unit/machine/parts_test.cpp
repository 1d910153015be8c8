// The store buffer and the set of an agent's children, alone.

#include <algorithm>
#include <set>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/machine/child_set.hpp"
#include "sim/machine/store_buffer.hpp"
#include "tests/catch.hpp"

namespace hotline::tests {

namespace {

using machine::ChildSet;
using machine::LineId;
using machine::StoreBuffer;
using machine::Value;
using machine::Word;

using Match = StoreBuffer::Match;

Word word(std::uint32_t line, unsigned offset, unsigned size) {
  return {LineId{line}, static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(size)};
}

std::vector<std::uint32_t> members(const ChildSet& set) {
  std::vector<std::uint32_t> found;
  set.for_each([&](std::uint32_t child) { found.push_back(child); });
  return found;
}

}  // namespace

TEST_CASE("a store buffer forwards the newest store that covers the load") {
  StoreBuffer buffer;
  buffer.push({.word = word(1, 8, 8), .value = 0x1111111111111111});
  buffer.push({.word = word(1, 8, 4), .value = 0xAABBCCDD});
  Value value = 0;
  CHECK(buffer.find(word(1, 8, 4), value) == Match::kForward);
  CHECK(value == 0xAABBCCDD);
  CHECK(buffer.find(word(1, 9, 1), value) == Match::kForward);
  CHECK(value == 0xCC);
  CHECK(buffer.find(word(1, 12, 4), value) == Match::kForward);
  CHECK(value == 0x11111111);
}

TEST_CASE("a load that the newest store covers only in part must wait") {
  StoreBuffer buffer;
  buffer.push({.word = word(1, 8, 8), .value = 5});
  buffer.push({.word = word(1, 10, 2), .value = 6});
  Value value = 0;
  CHECK(buffer.find(word(1, 8, 8), value) == Match::kPartial);
  CHECK(buffer.find(word(1, 8, 4), value) == Match::kPartial);
}

TEST_CASE("stores to neighbouring words and other lines do not concern a load") {
  StoreBuffer buffer;
  buffer.push({.word = word(1, 8, 8), .value = 5});
  Value value = 0;
  CHECK(buffer.find(word(1, 0, 8), value) == Match::kNone);
  CHECK(buffer.find(word(1, 16, 8), value) == Match::kNone);
  CHECK(buffer.find(word(2, 8, 8), value) == Match::kNone);
}

TEST_CASE("a far add in the buffer cannot be forwarded") {
  StoreBuffer buffer;
  buffer.push({.word = word(1, 8, 8), .far_add = true, .value = 5});
  Value value = 0;
  CHECK(buffer.find(word(1, 8, 8), value) == Match::kPartial);
}

TEST_CASE("a store buffer that never runs empty keeps its order") {
  StoreBuffer buffer;
  Value pushed = 0;
  Value popped = 0;
  for (int i = 0; i < 5; ++i) buffer.push({.word = word(1, 0, 8), .value = pushed++});
  for (int i = 0; i < 1000; ++i) {
    CHECK(buffer.front().value == popped++);
    buffer.pop();
    buffer.push({.word = word(1, 0, 8), .value = pushed++});
    Value newest = 0;
    CHECK(buffer.find(word(1, 0, 8), newest) == Match::kForward);
    CHECK(newest == pushed - 1);
    CHECK(buffer.size() == 5);
  }
}

TEST_CASE("a set of children holds what was put in and not taken out, in rising order") {
  engine::Random chance(1, "children");
  ChildSet set;
  std::set<std::uint32_t> model;
  for (int i = 0; i < 5000; ++i) {
    const auto child = static_cast<std::uint32_t>(chance.below(i % 2 == 0 ? 4096 : 64));
    if (chance.below(3) == 0) {
      set.reset(child);
      model.erase(child);
    } else {
      set.set(child);
      model.insert(child);
    }
    CHECK(set.test(child) == (model.count(child) == 1));
  }
  CHECK(members(set) == std::vector<std::uint32_t>(model.begin(), model.end()));
  for (const std::uint32_t child : model) set.reset(child);
  CHECK(set.empty());
  set.set(4095);
  CHECK_FALSE(set.empty());
  set.clear();
  CHECK(set.empty());
  CHECK_FALSE(set.test(4095));
}

}  // namespace hotline::tests
