#pragma once

#include <cstdint>

#include "sim/machine/types.hpp"
#include "sim/os/thread.hpp"

namespace hotline::workload {

using engine::Duration;
using engine::SimTime;
using os::FunctionId;
using os::ThreadId;

/// One lock instance of the run, an index into Run::locks().
using LockId = machine::Id<struct LockTag>;
/// A step of the workload that acquires, an index into Run::call_sites().
using CallSiteId = machine::Id<struct CallSiteTag>;
/// A kind of work that `count` steps count, an index into Run::works().
using WorkId = machine::Id<struct WorkTag>;

/// What happens in a run, told as it happens and at no simulated cost; the measuring layer listens.
/// Times are absolute. Everything is told from the start of the run, warm-up included.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The warm-up is over: what is counted from here on is measured. Told once, in the middle of
  /// whatever the threads are doing.
  virtual void measurement_began(SimTime) {}
  /// The last word of a run.
  virtual void measurement_ended(SimTime) {}

  virtual void thread_began(ThreadId, SimTime) {}
  /// The thread's program is over; its CPU idles from here on.
  virtual void thread_ended(ThreadId, SimTime) {}

  /// A thread begins to acquire.
  virtual void acquire_began(ThreadId, LockId, CallSiteId, SimTime) {}
  /// It has the lock, perhaps as a reader beside others. `waited`: another thread that keeps it out
  /// was inside in between or when the acquisition began.
  virtual void acquired(ThreadId, LockId, CallSiteId, bool /*waited*/, SimTime) {}
  /// A reader of a sequence lock finds that a writer came between and begins its section anew.
  virtual void read_repeated(ThreadId, LockId, SimTime) {}
  /// A thread begins to release: from here on a successor may get the lock.
  virtual void release_began(ThreadId, LockId, SimTime) {}
  /// The releasing thread's own part is done; a successor may have had the lock in between.
  virtual void released(ThreadId, LockId, SimTime) {}

  virtual void counted(ThreadId, WorkId, std::uint64_t /*amount*/, SimTime) {}
  /// A variable that all threads share has a new value; `slot` as in Run::shared_variables().
  virtual void shared_set(std::uint32_t /*slot*/, std::int64_t /*value*/, SimTime) {}

  virtual void entered(ThreadId, FunctionId, SimTime) {}
  virtual void left(ThreadId, SimTime) {}
};

}  // namespace hotline::workload
