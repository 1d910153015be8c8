#include "sim/machine/machine.hpp"

#include "sim/machine/coherence.hpp"

namespace hotline::machine {

Machine::Machine(engine::Simulator& simulator, const Topology& topology, Options options)
    : coherence_(std::make_unique<Coherence>(simulator, topology, options)) {}

Machine::~Machine() = default;

const Topology& Machine::topology() const { return coherence_->topology(); }
engine::Simulator& Machine::simulator() { return coherence_->simulator(); }

Address Machine::allocate(Bytes bytes, NodeId home, std::string_view label) {
  return coherence_->allocate(bytes, home, label);
}

Word Machine::word(Address address, unsigned size) const { return coherence_->word(address, size); }
std::uint32_t Machine::lines() const { return coherence_->lines(); }
Bytes Machine::line_bytes() const { return coherence_->description().line_bytes; }
void Machine::poke(Word word, Value value) {
  Coherence::write(coherence_->line(word.line), word, value);
}
Value Machine::peek(Word word) const { return Coherence::read(coherence_->line(word.line), word); }
Port& Machine::port(CpuId cpu) { return coherence_->port(cpu); }
void Machine::set_probe(Probe* probe) { coherence_->set_probe(probe); }
const Counts& Machine::counts() const { return coherence_->counts(); }

const LineStatistics* Machine::statistics(LineId line) const {
  return coherence_->has_line(line) ? coherence_->line(line).statistics.get() : nullptr;
}

const std::vector<std::uint64_t>& Machine::traffic() const { return coherence_->traffic(); }
Machine::Owner Machine::owner(LineId line) const { return coherence_->owner(line); }
void Machine::reset_statistics() { coherence_->reset_statistics(); }

char Machine::state(CoreId core, LineId line) const {
  return coherence_->has_line(line) ? coherence_->state(core, coherence_->line(line)) : 'I';
}

void Machine::check_single_writer() const { coherence_->check_single_writer(); }

}  // namespace hotline::machine
