// source  Linux 6.12 kernel/locking/percpu-rwsem.c, include/linux/percpu-rwsem.h (Nesterov, 2012
//         and 2015; Zijlstra, 2020), on rcu_sync (models/parts/rcu_sync.hpp).
// idea    While there are no writers, a reader adds one to its own CPU's count and looks at one
//         word that nobody writes. The first writer changes that word and waits a grace period, so
//         that all readers from then on use a full fence and look at the writers' word as well;
//         then it takes that word and sleeps until all CPUs' counts add up to nothing. A grace
//         period after the last writer readers are fast again.
// spins   Nobody but for two locks of lists. Who finds a writer inside sleeps in one list for both;
//         a writer lets its readers in from the front, or one writer.
// differs from Linux in that its try to write, which Linux has not, waits for the grace period but
//         for no reader.

#include "models/rwlocks/percpu_rw_semaphore.hpp"

#include <vector>

#include "models/parts/kernel_rcu.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/rcu_sync.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kCount = 0xFFFF'FFFF;  // counts have 32 bits and may wrap, as their sum does not
constexpr Value kOneLess = kCount;

class PercpuRwSemaphore final : public ReadWriteLockModel {
 public:
  PercpuRwSemaphore(Site& site, ParamReader& params)
      : rcu_(site, params),
        tasks_(site),
        sync_(site, tasks_, rcu_),
        writer_(after_callback(site).word("writer")),
        list_lock_(site),
        list_(site, "percpu_rwsem_waiter", "private"),
        block_(site.word("block", 32)),
        counts_(site.per_cpu("cpu", {{"read_count", 32}})),
        reads_(site.threads(), false) {}

  Task<ReadToken> acquire_read(Thread& self) override {
    co_await self.cond_resched();
    const bool in = co_await read_at_once(self);
    if (!in) co_await wait(self, true);
    co_return ReadToken{};
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const bool in = co_await read_at_once(self);
    if (!in) co_return std::nullopt;
    co_return ReadToken{};
  }

  Task<> release_read(Thread& self, ReadToken) override {
    rcu_.read_lock_sched(self);
    const bool fast = co_await sync_.is_idle(self);
    if (!fast) co_await self.fence();  // what was read inside comes before the count
    co_await add(self, kOneLess);
    if (!fast) co_await prod_writer(self);
    co_await rcu_.read_unlock_sched(self);
  }

  Task<> acquire_write(Thread& self) override {
    co_await self.cond_resched();
    co_await sync_.enter(self);
    const bool in = co_await take_block(self);
    if (!in) co_await wait(self, false);
    co_await self.store(writer_, tasks_.name(self));
    for (;;) {
      self.prepare_to_block();
      const bool alone = co_await no_reader_inside(self);
      if (alone) break;
      co_await self.block();
    }
    self.stay_awake();
    co_await self.store(writer_, kNobody);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    co_await sync_.enter(self);
    const bool in = co_await take_block(self);
    if (in) {
      const bool alone = co_await no_reader_inside(self);
      if (alone) co_return true;
      co_await open(self);
    }
    co_await sync_.exit(self);
    co_return false;
  }

  Task<> release_write(Thread& self) override {
    co_await open(self);
    co_await sync_.exit(self);
  }

 private:
  /// Behind rcu_sync lie its callback's head and the pointer to the counts.
  static Site& after_callback(Site& site) {
    site.gap(24);
    return site;
  }

  // Readers.

  Task<bool> read_at_once(Thread& self) {
    rcu_.read_lock_sched(self);
    const bool fast = co_await sync_.is_idle(self);
    bool in = true;
    if (fast) {
      co_await add(self, 1);
    } else {
      in = co_await read_slowly(self);
    }
    co_await rcu_.read_unlock_sched(self);
    co_return in;
  }

  /// Without preemption. True if no writer is inside or waits for readers.
  Task<bool> read_slowly(Thread& self) {
    co_await add(self, 1);
    co_await self.fence();  // the writer sees this reader, or this reader sees the writer
    const Value blocked = co_await self.load(block_);
    if (blocked == 0) co_return true;
    co_await add(self, kOneLess);
    co_await prod_writer(self);
    co_return false;
  }

  /// Without preemption.
  Task<> add(Thread& self, Value amount) {
    const Word count = counts_.word(self.cpu().value, 0);
    const Value seen = co_await self.load(count);
    co_await self.store(count, (seen + amount) & kCount);
  }

  /// Has the writer look at the counts again.
  Task<> prod_writer(Thread& self) {
    co_await self.fence();  // or the writer could miss the count, and this reader the writer
    const Value writer = co_await self.load(writer_);
    if (writer != kNobody) co_await self.wake(tasks_.thread(writer));
  }

  // Writers.

  Task<bool> take_block(Thread& self) {
    const Value blocked = co_await self.load(block_);
    if (blocked != 0) co_return false;
    const Value before = co_await self.exchange(block_, 1);
    co_return before == 0;
  }

  Task<bool> no_reader_inside(Thread& self) {
    co_await self.fence();
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < counts_.count(); ++cpu) {
      all += co_await self.load(counts_.word(cpu, 0));
    }
    co_return (all & kCount) == 0;
  }

  // Those who wait.

  Task<> wait(Thread& self, bool reads) {
    const Value me = tasks_.name(self);
    co_await list_lock_.acquire(self);
    const bool in = co_await take(self, reads);
    if (in) {
      co_await list_lock_.release(self);
      co_return;
    }
    reads_[Tasks::index(me)] = reads;
    co_await self.store(list_.more(me), me);
    co_await list_.push_back(self, me);
    self.prepare_to_block();
    co_await list_lock_.release(self);
    for (;;) {
      const Value still = co_await self.load(list_.more(me));
      if (still == kNobody) break;
      co_await self.block();
      self.prepare_to_block();
    }
    self.stay_awake();
  }

  /// Takes the lock for a reader or a writer, perhaps in another's stead; with the list's lock.
  Task<bool> take(Thread& self, bool reads) {
    if (reads) return read_slowly(self);
    return take_block(self);
  }

  /// Opens the lock and lets in who waits: readers from the front, or one writer.
  Task<> open(Thread& self) {
    co_await self.store(block_, 0);
    co_await list_lock_.acquire(self);
    for (bool reads = true; reads;) {
      const Value first = co_await list_.front(self);
      if (first == kNobody) break;
      reads = reads_[Tasks::index(first)];
      const bool in = co_await take(self, reads);
      if (!in) break;
      co_await list_.remove(self, first);
      co_await self.store(list_.more(first), kNobody);
      co_await self.wake(tasks_.thread(first));
    }
    co_await list_lock_.release(self);
  }

  KernelRcu rcu_;
  Tasks tasks_;
  RcuSync sync_;
  Word writer_;
  RawSpinlock list_lock_;
  WaitList list_;
  Word block_;
  Records counts_;
  std::vector<bool> reads_;  // of those in the list, by thread
};

}  // namespace

std::unique_ptr<Model> percpu_rw_semaphore(Site& site, ParamReader& params) {
  return make<PercpuRwSemaphore>(site, params);
}

}  // namespace hotline::models
