#include "sim/machine/coherence.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engine/split_mix.hpp"

namespace hotline::machine {

namespace {

std::array<bool, kOps> far_ops(const FarAtomics& far) {
  std::array<bool, kOps> ops{};
  const auto set = [&ops](Op op, bool is_far) { ops[static_cast<std::size_t>(op)] = is_far; };
  set(Op::kAdd, far.add);
  for (const Op op : {Op::kFetchAdd, Op::kFetchAnd, Op::kFetchOr}) set(op, far.fetch_add);
  set(Op::kExchange, far.exchange);
  set(Op::kCompareExchange, far.compare_exchange);
  return ops;
}

}  // namespace

Coherence::Coherence(engine::Simulator& simulator, const Topology& topology, Options options)
    : simulator_(simulator),
      topology_(topology),
      legs_(topology),
      // With it, each read asks for two lines, and what a core asks for hangs on what it has.
      batching_(options.batching && !topology.description().adjacent_line_prefetch),
      cores_(topology.cores()),
      busy_cores_(topology.sockets()),
      inhabited_below_(legs_.agents()),
      transactions_(*this),
      snoops_(*this),
      traffic_(std::size_t{topology.nodes()} * topology.nodes()) {
  const CoreDescription& description = topology.description().core;
  far_ops_ = far_ops(topology.description().far);
  locks_by_ownership_ = topology.description().atomics == Atomics::kOwnership &&
                        std::count(far_ops_.begin(), far_ops_.end(), true) == 0;
  smt_permille_ = static_cast<std::uint64_t>(std::llround(description.smt_slowdown * 1000));
  costs_.assign(topology.sockets(), resolve(description, megahertz(description, 1)));
  for (std::uint32_t core = 0; core < topology.cores(); ++core) {
    Core& entry = cores_[core];
    entry.costs = &costs_[topology.socket_of(CoreId{core}).value];
    entry.slot = legs_.agents() == 0 ? 0 : legs_.lowest(CoreId{core}, NodeId{});
    entry.child = legs_.agents() == 0 ? core : legs_.child_index(entry.slot, core);
  }
  for (std::uint32_t cpu = 0; cpu < topology.cpus(); ++cpu) {
    const CoreId core = topology.core_of(CpuId{cpu});
    port_storage_.emplace_back(*this, CpuId{cpu}, core, topology.node_of(core));
    ports_.push_back(&port_storage_.back());
  }
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

/// One more or less of the core's hardware threads computes. From one to two and back changes the
/// pace of one that was computing before, or goes on.
void Coherence::change_computing(CoreId core, bool begins) {
  std::uint32_t& computing = cores_[core.value].computing_ports;
  computing += begins ? 1U : ~0U;
  if (computing != (begins ? 2U : 1U)) return;
  for (std::uint32_t k = 0; k < description().threads_per_core; ++k) {
    Paced* const sibling = ports_[topology_.cpu_of(core, k).value]->computing_;
    if (sibling != nullptr) sibling->change_pace(!begins);
  }
}

void Coherence::inhabit(Port& port) {
  Core& place = cores_[port.core().value];
  place.inhabited = &port;
  if (place.inhabited_ports++ == 0 && legs_.agents() != 0) ++inhabited_below_[place.slot];
}

void Coherence::equip(Job& job, Desk& desk) {
  job.desk = &desk;
  job.fire = [](engine::Event* event) {
    Job& fired = static_cast<Job&>(*event);
    fired.desk->coherence->answered(fired);
  };
}

Job& Coherence::urgent_job(Desk& desk) {
  if (!desk.urgent) {
    desk.urgent = std::make_unique<Job>();
    equip(*desk.urgent, desk);
  }
  return *desk.urgent;
}

Desk& Coherence::open_desk(Line& line, std::uint32_t keeper) {
  const std::uint32_t slot = std::min(keeper, legs_.agents());
  if (!line.desks) line.desks = std::make_unique<Desk*[]>(legs_.agents() + 1);
  Desk& desk = desks_.emplace_back();
  line.desks[slot] = &desk;
  desk.coherence = this;
  desk.line = &line;
  desk.keeper = keeper;
  desk.place = &legs_.keeper(keeper);
  // At dispatch a keeper takes up others before its snoop arrives.
  desk.decides_late =
      batching_ && desk.place->over_cores && desk.place->take_up != TakeUp::kDispatch;
  equip(desk.turn, desk);
  if (!desk.place->is_home) {
    const std::uint32_t above = legs_.above(keeper, line.home);
    desk.parent = &this->desk(line, above);
    desk.child_of_parent = legs_.child_index(above, keeper);
  }
  return desk;
}

Transaction* Coherence::outstanding(CoreId core, const Line& line) const {
  Transaction* transaction = cores_[core.value].outstanding;
  while (transaction != nullptr && transaction->line != &line) transaction = transaction->next;
  return transaction;
}

Transaction& Coherence::make_transaction(CoreId core, Line& line, Ask ask,
                                         const Transaction::Waiter& first) {
  Core& place = cores_[core.value];
  Transaction& transaction = transactions_.take();
  transaction.line = &line;
  transaction.at = &lowest_desk(core, line);
  transaction.departed = now() + place.costs->issue;
  transaction.arrives = SimTime::never();
  transaction.core = core;
  transaction.ask = ask;
  transaction.source = {};
  transaction.exclusive = ask != Ask::kRead;
  transaction.holds = 1;
  transaction.first = first;
  transaction.granted.fill(0);
  transaction.deferred = nullptr;
  if (ask != Ask::kFar) {
    transaction.next = place.outstanding;
    place.outstanding = &transaction;
  }
  if (probe_ != nullptr) {
    const Request what = ask == Ask::kFar   ? Request::kFarAtomic
                         : ask == Ask::kOwn ? Request::kOwnership
                                            : Request::kCopy;
    probe_->asked(line.id, core, what, now(), transaction.departed);
  }
  return transaction;
}

void Coherence::request(Port& port, Line& line, bool own, bool store_buffer) {
  const CoreId core = port.core();
  const Transaction::Waiter waiter{&port, store_buffer};
  if (Transaction* under_way = outstanding(core, line)) {
    under_way->join(waiter);
    return;
  }
  LineStatistics& statistics = this->statistics(line);
  ++(own ? counts_.ownerships : counts_.reads);
  ++(own ? statistics.ownerships : statistics.reads);
  if (own && has_copy(core, line)) ++counts_.upgrades;
  depart(make_transaction(core, line, own ? Ask::kOwn : Ask::kRead, waiter));
  if (!description().adjacent_line_prefetch) return;
  const std::uint32_t buddy = line.id.value ^ 1U;
  if (buddy < lines()) prefetch(core, *lines_[buddy], own);
}

void Coherence::prefetch(CoreId core, Line& line, bool own) {
  if (has_exclusive(core, line) || outstanding(core, line) != nullptr) return;
  if (!own && has_copy(core, line)) return;
  ++(own ? counts_.ownerships : counts_.reads);
  depart(make_transaction(core, line, own ? Ask::kOwn : Ask::kRead, {}));
}

void Coherence::request_far(Port& port, const Access& access) {
  Line& line = this->line(access.word.line);
  Transaction& transaction = make_transaction(port.core(), line, Ask::kFar, {&port, false});
  transaction.far_access = access;
  ++counts_.far_atomics;
  ++statistics(line).far_atomics;
  depart(transaction);
}

/// The request leaves its core for the lowest keeper.
void Coherence::depart(Transaction& transaction) {
  const Line& line = *transaction.line;
  const CoreId core = transaction.core;
  enqueue(*transaction.at,
          {.arrival = transaction.departed + legs_.hop(core, line.slice, line.home),
           .transaction = &transaction,
           .requester = core.value,
           .child = cores_[core.value].child,
           .ask = transaction.ask});
}

/// The request will arrive at `desk`, above an agent, then.
void Coherence::climb(Transaction& transaction, Desk& desk, SimTime arrival) {
  transaction.at = &desk;
  // A far atomic is executed at the topmost agent, which asks the home for ownership.
  const bool owns = transaction.ask == Ask::kFar && desk.place->is_home;
  enqueue(desk, {.arrival = arrival,
                 .transaction = &transaction,
                 .requester = transaction.core.value,
                 .child = desk_below(desk, transaction.core).child_of_parent,
                 .ask = owns ? Ask::kOwn : transaction.ask});
}

void Coherence::release(Transaction& transaction) {
  if (--transaction.holds == 0) transactions_.give_back(transaction);
}

/// What messages that arrive at one moment have the siblings of a core do is done in the order of
/// their CPUs, in whatever order the messages are fired, which hangs on when they were scheduled.
void Coherence::go_on_in_order(const Port& port, SimTime when, std::coroutine_handle<> what) {
  if (wakes_since_ != present()) {
    wakes_.clear();
    wakes_since_ = present();
  }
  const auto before = [](CpuId cpu, const Wake& wake) { return cpu < wake.cpu; };
  auto place = std::upper_bound(wakes_.begin(), wakes_.end(), port.cpu(), before);
  place = wakes_.insert(place, {port.cpu(), port.core(), when, simulator_.resume_at(when, what)});
  while (++place != wakes_.end()) {
    if (place->core == port.core() && place->when == when)
      simulator_.reschedule(place->event, when);
  }
}

void Coherence::far_reply(Transaction& transaction) {
  arriving_ = true;
  transaction.first.port->far_done(transaction);
  arriving_ = false;
  release(transaction);
}

void Coherence::fill(Transaction& transaction) {
  arriving_ = true;
  take_in(transaction, now());
  // A snoop that was here before lets one operation of each hardware thread pass that waits for the
  // line. One that arrives at this very moment comes after all that the fill brings about, as if it
  // had been fired after the fill.
  Snoop* const snoop = transaction.deferred;
  const bool overtook = snoop != nullptr && transaction.deferred_since < now();
  if (transaction.first.port != nullptr) filled(transaction, transaction.first);
  for (const Transaction::Waiter& waiter : transaction.joined) filled(transaction, waiter);
  transaction.joined.clear();
  if (snoop != nullptr) {
    snoop_core(*snoop,
               overtook ? after_use(transaction.core, transaction.exclusive, now()) : now());
  }
  arriving_ = false;
  release(transaction);
}

void Coherence::filled(const Transaction& transaction, const Transaction::Waiter& waiter) {
  if (waiter.store_buffer) {
    waiter.port->stores_filled(*transaction.line);
  } else {
    waiter.port->filled(transaction);
  }
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
  std::fill(traffic_.begin(), traffic_.end(), std::uint64_t{0});
  for (Line& line : line_storage_) line.statistics.reset();
}

}  // namespace hotline::machine
