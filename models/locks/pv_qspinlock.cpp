// source  Linux 6.12 kernel/locking/qspinlock_paravirt.h (Long 2015): what qspinlock is in a guest
//         whose hypervisor can wake a halted virtual CPU. Without the pending bit's short cut.
// idea    A waiter that has polled for long, or whose predecessor has stopped polling, halts its
//         virtual CPU; somebody kicks it when it becomes the queue's head or gets the lock. The
//         head that halts writes "slow" into the lock byte and itself into a hash table, so that
//         the release, which is therefore a compare-exchange, knows whom to kick. A newcomer may
//         steal the lock unless the head says, by the pending bit, that it polls.
// spins   As qspinlock, but each for a limited time.
// differs from Linux in that halting is waiting for a word that the kicker writes, which costs both
//         sides a parameter; and in that polls are counted by their time.

#include "models/locks/pv_qspinlock.hpp"

#include <algorithm>

namespace hotline::models {

namespace {

constexpr Value kLocked = 1;
constexpr Value kSlow = 3;  // the release must kick somebody
constexpr Value kPending = 1 << 8;
constexpr Value kLockedOrPending = 0xFFFF;
constexpr unsigned kTailShift = 16;
constexpr std::uint32_t kNodesPerCpu = 4;
constexpr Value kNobody = 0;
constexpr std::uint64_t kPollsALook = 256;  // at the predecessor's state
constexpr std::uint32_t kEntriesPerCpu = 4;

enum State : Value { kRunning, kHalted, kHashed };

class PvQueuedSpinlock final : public LockModel {
 public:
  PvQueuedSpinlock(Site& site, ParamReader& params)
      : whole_(site.overlay("qspinlock", 32)),
        locked_pending_(site.overlay("locked_pending", 16)),
        locked_(site.word("locked", 8)),
        pending_(site.word("pending", 8)),
        tail_(site.word("tail", 16)),
        nodes_(site.per_cpu_stack("pv node",
                                  {{"next", 64},
                                   {"locked", 32},
                                   {"count", 32},
                                   {"cpu", 32},
                                   {"state", 32},
                                   {"kicked", 64}},
                                  kNodesPerCpu)),
        hash_(site.common_table("pv hash", {{"lock", 64}, {"node", 64}},
                                kEntriesPerCpu * std::max(site.cpus(), 64U))),
        name_((Value{whole_.line.value} << 8U | whole_.offset) + 1),
        polls_(static_cast<std::uint64_t>(params.integer(
            "polls", 1 << 15, 1, 1 << 20, "before a waiter halts its virtual CPU, by their time"))),
        halt_(params.duration("halt", Duration::from_ps(2'000'000),
                              "from halting a virtual CPU to its being able to be woken")),
        kick_(params.duration("kick", Duration::from_ps(1'500'000),
                              "the hypercall that wakes a virtual CPU")),
        wake_(params.duration("wake", Duration::from_ps(3'000'000),
                              "from the kick to the first instruction of the woken one")) {}

  Task<> acquire(Thread& self) override {
    const Value seen = co_await self.compare_exchange(whole_, 0, kLocked);
    if (seen != 0) co_await acquire_slowly(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(whole_);
    if (seen != 0) co_return false;
    const Value before = co_await self.compare_exchange(whole_, 0, kLocked);
    co_return before == 0;
  }

  Task<> release(Thread& self) override {
    const Value before = co_await self.compare_exchange(locked_, kLocked, 0);
    if (before == kLocked) co_return;
    const Value heir = co_await take_out_of_hash(self);
    co_await self.load(cpu_of(heir));
    co_await self.store(locked_, 0);
    co_await kick(self, heir);
  }

 private:
  Task<> acquire_slowly(Thread& self) {
    const auto node = nodes_->take(self.cpu());
    if (node) {
      co_await queue(self, *node + kNodesPerCpu);
      nodes_->give_back(*node);
      co_return;
    }
    for (bool taken = false; !taken;) {
      co_await self.pause();
      taken = co_await try_acquire(self);
    }
  }

  Task<> queue(Thread& self, Value me) {
    co_await self.store(locked(me), 0);
    co_await self.store(next(me), kNobody);
    co_await self.store(cpu_of(me), self.cpu().value);
    co_await self.store(state(me), kRunning);
    const bool stolen = co_await steal(self);
    if (stolen) co_return;
    const Value predecessor = co_await self.exchange(tail_, me);
    if (predecessor != kNobody) co_await wait_in_queue(self, me, predecessor);
    co_await wait_at_head(self, me);
    const Value seen = co_await self.load(whole_);
    if (seen >> kTailShift == me) {
      const Value before = co_await self.compare_exchange(whole_, seen, kLocked);
      if (before == seen) co_return;
    }
    const Value successor = co_await self.spin_while(next(me), kNobody);
    co_await self.store(locked(successor), 1);
    co_await hash_if_halted(self, successor);
  }

  /// Takes the lock past a queue whose head does not poll.
  Task<bool> steal(Thread& self) {
    for (;;) {
      const Value seen = co_await self.load(whole_);
      if ((seen & kLockedOrPending) == 0) {
        const Value before = co_await self.compare_exchange(locked_, 0, kLocked);
        if (before == 0) co_return true;
      }
      if (seen >> kTailShift == kNobody || (seen & kPending) != 0) co_return false;
      co_await self.pause();
    }
  }

  Task<> wait_in_queue(Thread& self, Value me, Value predecessor) {
    co_await self.store(next(predecessor), me);
    for (;;) {
      const bool promoted = co_await poll(self, me, predecessor);
      if (promoted) co_return;
      co_await self.exchange(state(me), kHalted);
      const Value already = co_await self.load(locked(me));
      if (already == 0) co_await halt(self, me);
      co_await self.compare_exchange(state(me), kHalted, kRunning);
    }
  }

  /// False if it is time to halt.
  Task<bool> poll(Thread& self, Value me, Value predecessor) {
    const Duration interval = self.pause(std::min(polls_, kPollsALook)).length;
    for (std::uint64_t polls = 0; polls < polls_; polls += kPollsALook) {
      const Value seen = co_await self.spin_for(locked(me), equals(1), interval);
      if (seen == 1) co_return true;
      const Value its_state = co_await self.load(state(predecessor));
      if (its_state != kRunning) co_return false;
    }
    co_return false;
  }

  /// The new holder's successor may sleep: it will, in time, be kicked by the release.
  Task<> hash_if_halted(Thread& self, Value successor) {
    const Value before = co_await self.compare_exchange(state(successor), kHalted, kHashed);
    if (before != kHalted) co_return;
    co_await self.store(locked_, kSlow);
    co_await put_into_hash(self, successor);
  }

  Task<> wait_at_head(Thread& self, Value me) {
    const Value its_state = co_await self.load(state(me));
    bool hashed = its_state == kHashed;
    for (;;) {
      co_await self.store(state(me), kRunning);
      co_await self.store(pending_, 1);
      const bool taken = co_await take_in_time(self);
      if (taken) co_return;
      co_await self.store(pending_, 0);
      if (!hashed) {
        hashed = true;
        co_await put_into_hash(self, me);
        const Value before = co_await self.exchange(locked_, kSlow);
        if (before == 0) {  // it was free at last
          co_await self.store(locked_, kLocked);
          co_await take_out_of_hash(self);
          co_return;
        }
      }
      co_await self.store(state(me), kHashed);
      const Value now = co_await self.load(locked_);
      if (now == kSlow) co_await halt(self, me);
    }
  }

  Task<bool> take_in_time(Thread& self) {
    const Duration limit = self.pause(polls_).length;
    const auto end = self.now() + limit;
    while (self.now() < end) {
      const Value seen =
          co_await self.spin_for(locked_pending_, equals(kPending), end - self.now());
      if (seen != kPending) co_return false;
      const Value before = co_await self.compare_exchange(locked_pending_, kPending, kLocked);
      if (before == kPending) co_return true;
    }
    co_return false;
  }

  // The hypervisor.

  Task<> halt(Thread& self, Value me) {
    co_await self.compute(halt_);
    co_await self.spin_until(kicked(me), 1);
    co_await self.store(kicked(me), 0);
    co_await self.compute(wake_);
  }

  Task<> kick(Thread& self, Value waiter) {
    co_await self.compute(kick_);
    co_await self.store(kicked(waiter), 1);
  }

  // The hash table, of open addressing.

  Task<> put_into_hash(Thread& self, Value node) {
    for (std::uint64_t entry = name_;; ++entry) {
      const Value before = co_await self.compare_exchange(entry_lock(entry), kNobody, name_);
      if (before != kNobody) continue;
      co_await self.store(entry_node(entry), node);
      co_return;
    }
  }

  Task<Value> take_out_of_hash(Thread& self) {
    for (std::uint64_t entry = name_;; ++entry) {
      const Value seen = co_await self.load(entry_lock(entry));
      if (seen != name_) continue;
      const Value node = co_await self.load(entry_node(entry));
      co_await self.store(entry_lock(entry), kNobody);
      co_return node;
    }
  }

  Word entry_lock(std::uint64_t entry) const { return hash_->word(entry % hash_->count(), 0); }
  Word entry_node(std::uint64_t entry) const { return hash_->word(entry % hash_->count(), 1); }
  Word next(Value name) const { return nodes_->word(name - kNodesPerCpu, 0); }
  Word locked(Value name) const { return nodes_->word(name - kNodesPerCpu, 1); }
  Word cpu_of(Value name) const { return nodes_->word(name - kNodesPerCpu, 3); }
  Word state(Value name) const { return nodes_->word(name - kNodesPerCpu, 4); }
  Word kicked(Value name) const { return nodes_->word(name - kNodesPerCpu, 5); }

  Word whole_, locked_pending_, locked_, pending_, tail_;
  std::shared_ptr<RecordStack> nodes_;
  std::shared_ptr<const Records> hash_;
  Value name_;
  std::uint64_t polls_;
  Duration halt_;
  Duration kick_;
  Duration wake_;
};

}  // namespace

std::unique_ptr<Model> pv_qspinlock(Site& site, ParamReader& params) {
  return make<PvQueuedSpinlock>(site, params);
}

}  // namespace hotline::models
