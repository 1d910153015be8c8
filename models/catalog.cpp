#include "models/catalog.hpp"

#include <array>

#include "models/counters/atomic.hpp"
#include "models/counters/cas.hpp"
#include "models/counters/lockref.hpp"
#include "models/counters/per_cpu.hpp"
#include "models/counters/percpu_counter.hpp"
#include "models/counters/percpu_ref.hpp"
#include "models/counters/plain.hpp"
#include "models/counters/refcount.hpp"
#include "models/counters/snzi.hpp"
#include "models/counters/striped.hpp"
#include "models/counters/vmstat.hpp"
#include "models/locks/anderson.hpp"
#include "models/locks/c_bo_mcs.hpp"
#include "models/locks/c_tkt_tkt.hpp"
#include "models/locks/clh.hpp"
#include "models/locks/cna.hpp"
#include "models/locks/condition_variable.hpp"
#include "models/locks/debug_spinlock.hpp"
#include "models/locks/futex_mutex.hpp"
#include "models/locks/hmcs.hpp"
#include "models/locks/i386_spinlock.hpp"
#include "models/locks/k42_mcs.hpp"
#include "models/locks/mcs.hpp"
#include "models/locks/mutex.hpp"
#include "models/locks/partitioned_ticket.hpp"
#include "models/locks/pv_qspinlock.hpp"
#include "models/locks/qspinlock.hpp"
#include "models/locks/queued_fifo.hpp"
#include "models/locks/rt_mutex.hpp"
#include "models/locks/shfl_lock.hpp"
#include "models/locks/test_and_set.hpp"
#include "models/locks/ticket.hpp"
#include "models/locks/ticket_blocking.hpp"
#include "models/locks/ttas.hpp"
#include "models/locks/virt_spinlock.hpp"
#include "models/rcu/hazard_pointers.hpp"
#include "models/rcu/qsbr.hpp"
#include "models/rcu/rcu.hpp"
#include "models/rcu/reference_count.hpp"
#include "models/rcu/srcu.hpp"
#include "models/rwlocks/bravo.hpp"
#include "models/rwlocks/brlock.hpp"
#include "models/rwlocks/percpu_rw_semaphore.hpp"
#include "models/rwlocks/qrwlock.hpp"
#include "models/rwlocks/rt_rwlock.hpp"
#include "models/rwlocks/rw_semaphore.hpp"
#include "models/rwlocks/rwlock_centralised.hpp"
#include "models/rwlocks/seqlock.hpp"

namespace hotline::models {

namespace {

using model::Entry;
using model::Kind;
using model::Prefers;
using model::Promises;

constexpr Promises kFifo{.fifo = true};
constexpr Promises kUnordered{};
constexpr Promises kReadersFirst{.prefers = Prefers::kReaders};
constexpr Promises kWritersFirst{.prefers = Prefers::kWriters};
constexpr Promises kWritersFirstInRcu{
    .sleeps = true, .prefers = Prefers::kWriters, .uses_rcu = true};
constexpr Promises kByArrival{.prefers = Prefers::kArrival};
constexpr Promises kTicks{.needs_ticks = true};
constexpr Promises kSleeps{.sleeps = true};
constexpr Promises kSleepsInRcu{.sleeps = true, .uses_rcu = true};
constexpr Promises kExact{};
constexpr Promises kExactByRcu{.uses_rcu = true};
constexpr Promises kLosesUpdates{.exact = false};

constexpr std::array kModels{
    Entry{"test-and-set", Kind::kLock, "Exchange one word until it was free; waiters write.",
          kUnordered, test_and_set},
    Entry{"ttas", Kind::kLock, "Read one word until it is free, then try; optional back-off.",
          kUnordered, ttas},
    Entry{"i386-spinlock", Kind::kLock, "Linux 2.5's byte: decrement, and read while negative.",
          kUnordered, i386_spinlock},
    Entry{"ticket", Kind::kLock, "Draw a number, wait until it is served; waiters share a line.",
          kFifo, ticket},
    Entry{"anderson", Kind::kLock, "Each waiter has a slot of an array, on a line of its own.",
          kFifo, anderson},
    Entry{"mcs", Kind::kLock, "A linked queue; each waiter reads its own node.", kFifo, mcs},
    Entry{"clh", Kind::kLock, "An implicit queue; each waiter reads its predecessor's node.", kFifo,
          clh},
    Entry{"qspinlock", Kind::kLock,
          "Linux's spinlock since 4.2: a word with a pending bit, then an MCS queue.", kUnordered,
          qspinlock},
    Entry{"k42-mcs", Kind::kLock,
          "MCS without a node in the critical section: the lock stands in for it.", kFifo, k42_mcs},
    Entry{"partitioned-ticket", Kind::kLock,
          "A ticket lock whose waiters read one of a few slots, each on a line of its own.", kFifo,
          partitioned_ticket},
    Entry{"cna", Kind::kLock,
          "qspinlock whose head sorts: waiters of other NUMA nodes wait in a second queue.",
          kUnordered, cna},
    Entry{"hmcs", Kind::kLock, "An MCS queue for each NUMA node, under an MCS queue of the nodes.",
          kUnordered, hmcs},
    Entry{"c-bo-mcs", Kind::kLock,
          "A cohort lock: an MCS lock for each NUMA node under one with back-off.", kUnordered,
          c_bo_mcs},
    Entry{"c-tkt-tkt", Kind::kLock,
          "A cohort lock: a ticket lock for each NUMA node under a ticket lock.", kUnordered,
          c_tkt_tkt},
    Entry{"shfl-lock", Kind::kLock,
          "A byte that may be stolen under a queue that waiters shuffle by NUMA node.", kUnordered,
          shfl_lock},
    Entry{"pv-qspinlock", Kind::kLock,
          "What qspinlock is where virtual CPUs can be halted and kicked.", kUnordered,
          pv_qspinlock},
    Entry{"virt-spinlock", Kind::kLock,
          "What qspinlock is in a plain virtual machine: test-and-test-and-set.", kUnordered,
          virt_spinlock},
    Entry{"debug-spinlock", Kind::kLock,
          "Linux's CONFIG_DEBUG_SPINLOCK before 4.11: tries with a delay, owner on the same line.",
          kUnordered, debug_spinlock},
    Entry{"qrwlock", Kind::kReadWriteLock,
          "Linux's rwlock since 3.16: a word of readers and writer, a qspinlock to wait in.",
          kByArrival, qrwlock},
    Entry{"rwlock-centralised", Kind::kReadWriteLock,
          "Linux's rwlock on x86 before that: readers take one off a word, a writer a whole bias.",
          kReadersFirst, rwlock_centralised},
    Entry{"brlock", Kind::kReadWriteLock,
          "Linux's lglock: a spinlock for each CPU; a writer takes them all.", kUnordered, brlock},
    Entry{"bravo", Kind::kReadWriteLock,
          "BRAVO: readers pass another lock by, through slots of a table, until a writer comes.",
          kUnordered, bravo},
    Entry{"rw-semaphore", Kind::kReadWriteLock,
          "Linux's rw_semaphore: a word of readers and writer; writers spin, waiters sleep.",
          kSleeps, rw_semaphore},
    Entry{"percpu-rw-semaphore", Kind::kReadWriteLock,
          "Linux's percpu_rw_semaphore: readers count on their CPU; a writer waits a grace period.",
          kSleepsInRcu, percpu_rw_semaphore},
    Entry{"rt-rwlock", Kind::kReadWriteLock,
          "Linux's rwlock_t with PREEMPT_RT: a count of readers beside an rt_mutex.", kSleepsInRcu,
          rt_rwlock},
    Entry{"rt-rw-semaphore", Kind::kReadWriteLock,
          "Linux's rw_semaphore with PREEMPT_RT: the same, and no thread passes by its equals.",
          kSleeps, rt_rw_semaphore},
    Entry{"seqlock", Kind::kSequenceLock,
          "Readers write nothing and read again if a count says that a writer came between.",
          kWritersFirst, seqlock},
    Entry{"rt-seqlock", Kind::kSequenceLock,
          "Linux's seqlock_t with PREEMPT_RT: a reader that meets a writer waits by its lock.",
          kWritersFirstInRcu, rt_seqlock},
    Entry{"mutex", Kind::kLock,
          "Linux's struct mutex: spins while the owner runs, else sleeps; hand-over on request.",
          kSleeps, mutex},
    Entry{"rt-mutex", Kind::kLock,
          "Linux's rt_mutex: waiters by priority, who lend it to the owner.", kSleeps, rt_mutex},
    Entry{"rt-spin-lock", Kind::kLock,
          "Linux's spinlock_t with PREEMPT_RT: an rt_mutex that equals may take out of turn.",
          kSleepsInRcu, rt_spin_lock},
    Entry{"futex-mutex", Kind::kLock,
          "glibc's default pthread mutex: a word in user space, a system call to sleep or wake.",
          kSleeps, futex_mutex},
    Entry{"futex-mutex-adaptive", Kind::kLock,
          "glibc's adaptive pthread mutex: as futex-mutex, but it spins for a while first.",
          kSleeps, futex_mutex_adaptive},
    Entry{"mutex3", Kind::kLock, "The third mutex of \"Futexes Are Tricky\": one word and a futex.",
          kSleeps, mutex3},
    Entry{"ticket-blocking", Kind::kLock,
          "A ticket lock whose waiters sleep on one condition variable; each release wakes all.",
          kSleeps, ticket_blocking},
    Entry{"queued-fifo", Kind::kLock,
          "A queue under a mutex, each waiter asleep on a condition variable of its own.", kSleeps,
          queued_fifo},
    Entry{"condition-variable", Kind::kConditionVariable,
          "glibc's pthread condition variable: two groups of waiters, each on its futex.",
          kUnordered, condition_variable},
    Entry{"plain", Kind::kCounter, "Load, add, store on one shared word: loses updates.",
          kLosesUpdates, plain},
    Entry{"atomic", Kind::kCounter, "A locked add on one shared word.", kExact, atomic},
    Entry{"cas", Kind::kCounter, "A compare-exchange loop on one shared word.", kExact, cas},
    Entry{"per-cpu", Kind::kCounter, "A word for each CPU; reading sums them all.", kExact,
          per_cpu},
    Entry{"percpu-counter", Kind::kCounter,
          "Linux's percpu_counter: per-CPU slots moved to a central count in batches.", kExact,
          percpu_counter},
    Entry{"striped", Kind::kCounter, "A locked add on one of S words; reading sums them all.",
          kExact, striped},
    Entry{"vmstat", Kind::kCounter,
          "Linux's zone statistics: 8-bit per-CPU differences, moved beyond a threshold.", kExact,
          vmstat},
    Entry{"refcount", Kind::kReference, "Linux's refcount_t: locked adds with a check, saturating.",
          kExact, refcount},
    Entry{"percpu-ref", Kind::kReference,
          "Linux's percpu_ref: per-CPU counts until its owner kills it, then one shared count.",
          kExactByRcu, percpu_ref},
    Entry{"snzi", Kind::kReference,
          "A scalable non-zero indicator: a tree whose root knows only whether there are users.",
          kExact, snzi},
    Entry{"lockref", Kind::kLockref,
          "A spinlock and a count in eight bytes, changed by compare-exchange while it is free.",
          kExact, lockref},
    Entry{"rcu", Kind::kRcu,
          "Linux's tree RCU, in the flavour of the run's preemption model: ticks, scans, IPIs.",
          kTicks, rcu},
    Entry{"srcu", Kind::kRcu,
          "Linux's sleepable RCU: counts a CPU and a full fence on each side of a section.",
          kUnordered, srcu},
    Entry{"qsbr", Kind::kRcu, "Readers do nothing; threads say now and then that they are outside.",
          kUnordered, qsbr},
    Entry{"hazard-pointers", Kind::kRcu,
          "A reader publishes what it follows, with a full fence; updaters read all slots.",
          kUnordered, hazard_pointers},
    Entry{"reference-count", Kind::kRcu,
          "A reader counts itself on the object and off again, by locked operations on one word.",
          kUnordered, reference_count},
};

}  // namespace

std::span<const model::Entry> built_in() { return kModels; }

}  // namespace hotline::models
