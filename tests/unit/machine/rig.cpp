#include "tests/unit/machine/rig.hpp"

#include <string>
#include <utility>

#include "tests/catch.hpp"

namespace hotline::tests {

Rig::Rig(Setup setup)
    : topology_(setup.machine),
      simulator_(setup.seed, setup.ties),
      machine_(simulator_, topology_, {.batching = setup.batching}) {
  threads_.resize(topology_.cpus());
}

Thread& Rig::thread(std::uint32_t cpu) {
  std::unique_ptr<Thread>& thread = threads_.at(cpu);
  if (!thread) {
    machine::Port& port = machine_.port({cpu});
    port.set_busy(true);
    thread =
        std::make_unique<Thread>(simulator_, port, os::ThreadId{cpu}, "cpu " + std::to_string(cpu));
  }
  return *thread;
}

Word Rig::word(std::uint32_t node, unsigned size) {
  return machine_.word(machine_.allocate(size, {node}, "word"), size);
}

Word Rig::beside(Word word, std::uint32_t offset, unsigned size) const {
  return machine_.word(machine::Address{word.line.value} * machine_.line_bytes() + offset, size);
}

void Rig::run() {
  simulator_.run();
  REQUIRE(simulator_.unfinished_roots() == 0);
  machine_.check_single_writer();
}

void Rig::run_for(Duration length) { simulator_.run_until(now() + length); }

Task<> hammer(Thread& self, Word word, SimTime end, std::uint64_t& done) {
  for (;;) {
    co_await self.fetch_add(word, 1);
    if (self.simulator().now() > end) co_return;
    ++done;
  }
}

}  // namespace hotline::tests
