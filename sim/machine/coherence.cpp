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
    ports_.emplace_back(*this, CpuId{cpu}, core, topology.node_of(core));
  }
  for (std::uint32_t core = 0; core < topology.cores(); ++core) {
    socket_of_core_.push_back(topology.socket_of(CoreId{core}).value);
  }
  const CoreDescription& core = description().core;
  smt_permille_ = static_cast<std::uint64_t>(std::llround(core.smt_slowdown * 1000));
  costs_.assign(topology.sockets(), resolve(core, megahertz(core, 1)));
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

bool Coherence::has_copy(CoreId core, const Line& line) const {
  const std::uint32_t keeper = legs_.lowest(core, line.home);
  const Desk* desk = find_desk(line, keeper);
  return desk != nullptr && desk->copies.test(legs_.child_index(keeper, core.value));
}

Desk* Coherence::find_desk(const Line& line, std::uint32_t keeper) const {
  return line.desks ? line.desks[std::min(keeper, legs_.agents())] : nullptr;
}

Desk& Coherence::desk(Line& line, std::uint32_t keeper) {
  const std::uint32_t slot = std::min(keeper, legs_.agents());  // a line has but one home
  if (!line.desks) line.desks = std::make_unique<Desk*[]>(legs_.agents() + 1);
  if (line.desks[slot] != nullptr) return *line.desks[slot];
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
      fired.desk->coherence->answers_complete(fired);
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
  transaction.stage = Transaction::Stage::kToKeeper;
  transaction.exclusive = ask != Ask::kRead;
  transaction.at = &desk(line, legs_.lowest(core, line.home));
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
  simulator_.schedule_at(transaction.departed + legs_.hop(core, line.id, line.home), transaction);
  if (!description().adjacent_line_prefetch) return;
  const std::uint32_t buddy = line.id.value ^ 1U;
  if (buddy < lines()) prefetch(core, lines_[buddy], own);
}

void Coherence::prefetch(CoreId core, Line& line, bool own) {
  if (has_exclusive(core, line) || outstanding(core, line) != nullptr) return;
  if (!own && has_copy(core, line)) return;
  Transaction& transaction = depart(core, line, own ? Ask::kOwn : Ask::kRead, now());
  ++(own ? counts_.ownerships : counts_.reads);
  simulator_.schedule_at(transaction.departed + legs_.hop(core, line.id, line.home), transaction);
}

void Coherence::request_far(Port& port, const Access& access) {
  Line& line = this->line(access.word.line);
  Transaction& transaction = depart(port.core(), line, Ask::kFar, now());
  transaction.waiters.push_back({&port, false});
  transaction.far_access = access;
  ++counts_.far_atomics;
  ++statistics(line).far_atomics;
  simulator_.schedule_at(transaction.departed + legs_.hop(port.core(), line.id, line.home),
                         transaction);
}

void Coherence::release(Transaction& transaction) {
  if (--transaction.holds == 0) transactions_.give_back(transaction);
}

void Coherence::fire(Transaction& transaction) {
  switch (transaction.stage) {
    case Transaction::Stage::kToKeeper: {
      Desk& desk = *transaction.at;
      const Keeper& keeper = legs_.keeper(desk.keeper);
      const std::uint32_t below =
          keeper.over_cores ? transaction.core.value : desk_below(desk, transaction.core).keeper;
      // A far atomic is executed at the topmost agent, which asks the home for ownership.
      const bool owns = transaction.ask == Ask::kFar && keeper.is_home && !keeper.over_cores;
      arrive(desk, {.arrival = now(),
                    .tie = tie_of(transaction.core.value),
                    .ask = owns ? Ask::kOwn : transaction.ask,
                    .child = legs_.child_index(desk.keeper, below),
                    .transaction = &transaction});
      return;
    }
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
  const std::uint32_t keeper = legs_.lowest(core, line.home);
  ChildSet& copies = desk(line, keeper).copies;
  const std::uint32_t child = legs_.child_index(keeper, core.value);
  if (transaction.exclusive) {
    copies.reset(child);
    line.exclusive_core = static_cast<std::int32_t>(core.value);
    line.dirty = transaction.ask == Ask::kOwn;
    line.busy_until = now();
  } else {
    copies.set(child);
  }
  if (!transaction.waiters.empty()) transaction.waiters.front().port->filled(transaction, 0);
  if (Snoop* snoop = transaction.deferred) {
    const bool load_first = !transaction.exclusive && transaction.deferred_since < now();
    snoop_core(*snoop, load_first ? now() + costs(core).load : now());
  }
  for (std::size_t i = 1; i < transaction.waiters.size(); ++i) {
    transaction.waiters[i].port->filled(transaction, i);
  }
  release(transaction);
}

void Coherence::written(const Port& writer, const Line& line) {
  if (!siblings_busy(writer.core())) return;
  for (std::uint32_t k = 0; k < description().threads_per_core; ++k) {
    Port& port = ports_[topology_.cpu_of(writer.core(), k).value];
    if (&port != &writer) port.written_by_sibling(line);
  }
}

LineStatistics& Coherence::statistics(Line& line) {
  if (!line.statistics) {
    line.statistics = std::make_unique<LineStatistics>();
    line.statistics->transfers.resize(topology_.distance_classes().size());
  }
  return *line.statistics;
}

void Coherence::reset_statistics() {
  counts_ = {};
  for (Line& line : lines_) line.statistics.reset();
}

}  // namespace hotline::machine
