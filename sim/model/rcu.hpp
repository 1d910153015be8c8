#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/model/model.hpp"
#include "sim/os/scheduler.hpp"

/// What a way of deferring reclamation is: RCU in the kernel's flavours, and its rivals. Such a
/// model sees the CPUs' comings and goings, so its file includes this header.
namespace hotline::model {

using machine::CpuId;
using os::Scheduler;
using os::SimTime;

/// What is done when a grace period has passed.
class RcuCallback {
 public:
  RcuCallback() = default;
  RcuCallback(const RcuCallback&) = delete;
  RcuCallback& operator=(const RcuCallback&) = delete;
  virtual ~RcuCallback() = default;
  /// `self` is a CPU's softirq or a thread of the kernel; it must not block.
  virtual Task<> invoke(Thread& self) = 0;
};

/// A step of a grace period.
enum class Milestone : std::uint8_t {
  kRequested,    ///< a caller begins to wait
  kNoticed,      ///< a CPU asks for a grace period
  kStarted,      ///< it begins
  kReached,      ///< the CPUs from `cpu` to `last_cpu` can learn of it
  kScanned,      ///< a forced scan begins; `count` CPUs are missing
  kInterrupted,  ///< an inter-processor interrupt is sent to `cpu`
  kQuiescent,    ///< a quiescent state of `cpu` is known: `count` is a Quiescence
  kPreempted,    ///< a reader has lost `cpu` in the middle of its section
  kNodeQuiet,    ///< all CPUs from `cpu` to `last_cpu` have had one
  kEnded,        ///< the grace period is over
  kInvoked,      ///< `cpu` has invoked `count` callbacks
  kReturned,     ///< a caller goes on
  kJoined,       ///< a caller waits for a grace period that somebody else drives
  kMadeNormal,   ///< a caller asked for an expedited one and gets a normal one
};

/// How a quiescent state became known.
enum class Quiescence : std::uint8_t {
  kReported,     ///< the CPU says so itself
  kIdle,         ///< a scan finds it idle
  kWasIdle,      ///< a scan finds that it has been idle since the last
  kOwn,          ///< the CPU that looks
  kInterrupted,  ///< in the handler of the interrupt
};

struct RcuEvent {
  Milestone what = Milestone::kRequested;
  SimTime at;
  std::uint64_t grace_period = 0;  ///< its number, as far as it has one
  bool expedited = false;
  std::uint32_t cpu = 0;
  std::uint32_t last_cpu = 0;
  std::uint64_t count = 0;
};

/// Is told of every step of every grace period, at no simulated cost.
class RcuObserver {
 public:
  virtual ~RcuObserver() = default;
  virtual void happened(const RcuEvent& event) = 0;
};

/// A domain: readers that never wait for updaters, and updaters that can wait for all readers that
/// were inside when they began to.
class Rcu {
 public:
  virtual ~Rcu() = default;
  /// Sections may nest.
  virtual Task<ReadToken> read_lock(Thread& self) = 0;
  /// Takes what read_lock gave to the same thread.
  virtual Task<> read_unlock(Thread& self, ReadToken token) = 0;
  /// Whether a thread may block inside a section.
  virtual bool readers_may_block() const { return false; }
  /// Resumes the caller, who is no reader, when every section that had begun before is over.
  virtual Task<> synchronize(Thread& self) = 0;
  /// The same in a hurry, at others' cost.
  virtual Task<> synchronize_expedited(Thread& self) { return synchronize(self); }
  /// Has `callback` invoked some time after every section that had begun before is over.
  virtual Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) = 0;
  /// The same for callbacks that only free memory, which may come late and many at a time.
  virtual Task<> call_to_free(Thread& self, std::unique_ptr<RcuCallback> callback) {
    return call(self, std::move(callback));
  }
  /// How many callbacks have not been invoked: costs no simulated time.
  virtual std::uint64_t pending() const = 0;
  virtual void observe(RcuObserver* /*observer*/) {}
};

class RcuModel : public Model, public Rcu {
 public:
  Rcu* rcu() final { return this; }
};

}  // namespace hotline::model
