#include "sim/machine/coherence.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engine/split_mix.hpp"

namespace hotline::machine {

Coherence::Coherence(engine::Simulator& simulator, const Topology& topology, Options options)
    : simulator_(simulator),
      topology_(topology),
      legs_(topology),
      options_(options),
      cores_(topology.cores()),
      busy_cores_(topology.sockets()) {
  for (std::uint32_t cpu = 0; cpu < topology.cpus(); ++cpu) {
    const CoreId core = topology.core_of(CpuId{cpu});
    port_storage_.emplace_back(*this, CpuId{cpu}, core, topology.node_of(core));
    ports_.push_back(&port_storage_.back());
  }
  for (std::uint32_t core = 0; core < topology.cores(); ++core) {
    Core& entry = cores_[core];
    entry.socket = topology.socket_of(CoreId{core}).value;
    entry.slot = legs_.agents() == 0 ? 0 : legs_.lowest(CoreId{core}, NodeId{});
    entry.child = legs_.agents() == 0 ? core : legs_.child_index(entry.slot, core);
  }
  const CoreDescription& core = description().core;
  smt_permille_ = static_cast<std::uint64_t>(std::llround(core.smt_slowdown * 1000));
  costs_.assign(topology.sockets(), resolve(core, megahertz(core, 1)));
  for (const Keeper& keeper : legs_.keepers()) {
    confirms_ = confirms_ || keeper.take_up == TakeUp::kCompletion;
  }
  if (simulator.tie_order().shuffle) tie_seed_ = simulator.tie_order().seed | 1;
}

Coherence::~Coherence() = default;

std::uint64_t Coherence::tie_of(std::uint32_t requester) const {
  if (tie_seed_ == 0) return requester;
  return engine::scramble(requester ^ tie_seed_);
}

void Coherence::set_busy(CoreId core, bool busy) {
  std::uint32_t& ports = cores_[core.value].busy_ports;
  const bool was_busy = ports != 0;
  ports += busy ? 1U : ~0U;
  const bool is_busy = ports != 0;
  if (is_busy == was_busy) return;
  const std::uint32_t socket = topology_.socket_of(core).value;
  busy_cores_[socket] += is_busy ? 1U : ~0U;
  const CoreDescription& description = topology_.description().core;
  if (description.clock.size() < 2) return;
  costs_[socket] = resolve(description, megahertz(description, std::max(busy_cores_[socket], 1U)));
}

Desk& Coherence::open_desk(Line& line, std::uint32_t keeper) {
  const std::uint32_t slot = std::min(keeper, legs_.agents());
  if (!line.desks) line.desks = std::make_unique<Desk*[]>(legs_.agents() + 1);
  Desk& desk = desks_.emplace_back();
  line.desks[slot] = &desk;
  desk.fire = [](engine::Event* event) {
    Desk& fired = static_cast<Desk&>(*event);
    fired.coherence->take_up(fired);
  };
  desk.coherence = this;
  desk.line = &line;
  desk.keeper = keeper;
  for (Job& job : desk.jobs) {
    job.desk = &desk;
    job.fire = [](engine::Event* event) {
      Job& fired = static_cast<Job&>(*event);
      fired.desk->coherence->answered(fired);
    };
  }
  if (!legs_.keeper(keeper).is_home) {
    const std::uint32_t above = legs_.above(keeper, line.home);
    desk.parent = &this->desk(line, above);
    desk.child_of_parent = legs_.child_index(above, keeper);
  }
  return desk;
}

Transaction* Coherence::outstanding(CoreId core, const Line& line) const {
  for (Transaction* transaction : cores_[core.value].outstanding) {
    if (transaction->line == &line) return transaction;
  }
  return nullptr;
}

Transaction& Coherence::depart(CoreId core, Line& line, Ask ask, SimTime when) {
  Transaction& transaction = transactions_.take();
  transaction.fire = [](engine::Event* event) {
    Transaction& fired = static_cast<Transaction&>(*event);
    fired.coherence->fire(fired);
  };
  transaction.coherence = this;
  transaction.line = &line;
  transaction.core = core;
  transaction.ask = ask;
  transaction.exclusive = ask != Ask::kRead;
  transaction.at = &lowest_desk(core, line);
  transaction.departed = when + costs(core).issue;
  transaction.granted.fill(0);
  transaction.deferred = nullptr;
  transaction.waiters.clear();
  transaction.holds = 1;
  if (ask != Ask::kFar) cores_[core.value].outstanding.push_back(&transaction);
  return transaction;
}

void Coherence::request(Port& port, Line& line, bool own, bool store_buffer) {
  const CoreId core = port.core();
  if (Transaction* under_way = outstanding(core, line)) {
    under_way->waiters.push_back({&port, store_buffer});
    return;
  }
  const bool has_shared = own && has_copy(core, line);
  Transaction& transaction = depart(core, line, own ? Ask::kOwn : Ask::kRead, now());
  transaction.waiters.push_back({&port, store_buffer});
  LineStatistics& statistics = this->statistics(line);
  ++(own ? counts_.ownerships : counts_.reads);
  ++(own ? statistics.ownerships : statistics.reads);
  if (has_shared) ++counts_.upgrades;
  climb_first(transaction);
  if (!description().adjacent_line_prefetch) return;
  const std::uint32_t buddy = line.id.value ^ 1U;
  if (buddy < lines()) prefetch(core, *lines_[buddy], own);
}

void Coherence::prefetch(CoreId core, Line& line, bool own) {
  if (has_exclusive(core, line) || outstanding(core, line) != nullptr) return;
  if (!own && has_copy(core, line)) return;
  Transaction& transaction = depart(core, line, own ? Ask::kOwn : Ask::kRead, now());
  ++(own ? counts_.ownerships : counts_.reads);
  climb_first(transaction);
}

void Coherence::request_far(Port& port, const Access& access) {
  Line& line = this->line(access.word.line);
  Transaction& transaction = depart(port.core(), line, Ask::kFar, now());
  transaction.waiters.push_back({&port, false});
  transaction.far_access = access;
  ++counts_.far_atomics;
  ++statistics(line).far_atomics;
  climb_first(transaction);
}

/// The request leaves its core for the lowest keeper.
void Coherence::climb_first(Transaction& transaction) {
  const Line& line = *transaction.line;
  Desk& desk = *transaction.at;
  climb(transaction, desk,
        transaction.departed + legs_.hop(transaction.core, line.slice, line.home));
}

/// The request will arrive at `desk` then.
void Coherence::climb(Transaction& transaction, Desk& desk, SimTime arrival) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  transaction.at = &desk;
  const std::uint32_t child = keeper.over_cores
                                  ? cores_[transaction.core.value].child
                                  : desk_below(desk, transaction.core).child_of_parent;
  // A far atomic is executed at the topmost agent, which asks the home for ownership.
  const bool owns = transaction.ask == Ask::kFar && keeper.is_home && !keeper.over_cores;
  enqueue(desk, {.arrival = arrival,
                 .tie = tie_of(transaction.core.value),
                 .ask = owns ? Ask::kOwn : transaction.ask,
                 .child = child,
                 .transaction = &transaction});
}

void Coherence::release(Transaction& transaction) {
  if (--transaction.holds == 0) transactions_.give_back(transaction);
}

void Coherence::fire(Transaction& transaction) {
  switch (transaction.stage) {
    case Transaction::Stage::kDataAtKeeper:
      data_at_keeper(transaction);
      return;
    case Transaction::Stage::kFill:
      fill(transaction);
      return;
    case Transaction::Stage::kFarReply:
      transaction.waiters.front().port->far_done(transaction);
      release(transaction);
      return;
  }
}

void Coherence::fill(Transaction& transaction) {
  const CoreId core = transaction.core;
  Line& line = *transaction.line;
  std::vector<Transaction*>& list = cores_[core.value].outstanding;
  list.erase(std::find(list.begin(), list.end(), &transaction));
  ChildSet& copies = lowest_desk(core, line).copies;
  const std::uint32_t child = cores_[core.value].child;
  if (transaction.exclusive) {
    copies.reset(child);
    line.exclusive_core = static_cast<std::int32_t>(core.value);
    line.dirty = transaction.ask == Ask::kOwn;
    line.busy_until = now();
  } else {
    copies.set(child);
  }
  // A snoop that was here before lets one operation pass. One that arrives at this very moment
  // comes after all that the fill brings about, as if it had been fired after the fill.
  Snoop* const snoop = transaction.deferred;
  const bool overtook = snoop != nullptr && transaction.deferred_since < now();
  if (!transaction.waiters.empty()) transaction.waiters.front().port->filled(transaction, 0);
  if (overtook) snoop_core(*snoop, transaction.exclusive ? now() : now() + costs(core).load());
  for (std::size_t i = 1; i < transaction.waiters.size(); ++i) {
    transaction.waiters[i].port->filled(transaction, i);
  }
  if (snoop != nullptr && !overtook) snoop_core(*snoop, now());
  release(transaction);
}

void Coherence::tell_siblings(const Port& writer, const Line& line) {
  for (std::uint32_t k = 0; k < description().threads_per_core; ++k) {
    Port& port = *ports_[topology_.cpu_of(writer.core(), k).value];
    if (&port != &writer) port.written_by_sibling(line);
  }
}

LineStatistics& Coherence::open_statistics(Line& line) {
  line.statistics = std::make_unique<LineStatistics>();
  line.statistics->transfers.resize(topology_.distance_classes().size());
  line.statistics->words.resize(description().line_bytes / 8);
  return *line.statistics;
}

void Coherence::reset_statistics() {
  counts_ = {};
  for (Line& line : line_storage_) line.statistics.reset();
}

}  // namespace hotline::machine
