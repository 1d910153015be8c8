#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/port.hpp"
#include "sim/os/awaiters.hpp"
#include "sim/os/run_queue.hpp"

namespace hotline::os {

class InterruptWork;
class Scheduler;
class Thread;

/// What the scheduler knows of one hardware thread.
struct Cpu {
  struct Signal : engine::Event {
    Cpu* cpu = nullptr;
  };

  Cpu() = default;
  Cpu(const Cpu&) = delete;
  Cpu& operator=(const Cpu&) = delete;
  ~Cpu() = default;

  machine::CpuId id() const { return port->cpu(); }
  bool idle() const { return current == nullptr && next == nullptr && leaving == nullptr; }
  /// How many threads it has to run.
  std::size_t load() const { return queue.size() + (idle() ? 0 : 1); }

  Scheduler* scheduler = nullptr;
  machine::Port* port = nullptr;
  Thread* current = nullptr;
  Thread* next = nullptr;     ///< is being switched to
  Thread* leaving = nullptr;  ///< its last stores are on their way
  RunQueue queue;
  std::int64_t floor = 0;              ///< no queued thread's virtual time is below it for long
  bool need_resched = false;           ///< another thread should run
  bool halted = false;                 ///< the current thread has stopped where it was interrupted
  bool paying = false;                 ///< it goes on when the handlers' time is over
  GiveWay giving_way = GiveWay::kNot;  ///< the current thread, by itself
  bool stolen = false;                 ///< by the hypervisor
  bool serving = false;                ///< does interrupt work
  bool ticking = false;
  bool keep_ticking = false;          ///< while idle too
  bool stealing = false;              ///< the hypervisor's events are pending
  bool waking = false;                ///< leaves its idle state
  std::vector<InterruptWork*> works;  ///< raised, in this order
  Thread* context = nullptr;          ///< in which it does them
  engine::Duration debt;              ///< time of handlers that the current thread has yet to lose
  engine::SimTime charged_at;         ///< the current thread's virtual time is right up to then
  engine::SimTime idle_since;
  engine::Duration tick_phase;
  engine::Duration steal_phase;
  engine::SimTime returns_at;  ///< when the hypervisor gives it back
  Signal switched;
  Signal drained;
  Signal kicked;
  Signal poked;
  Signal ticked;
  Signal paid;
  Signal steal_begins;
  Signal steal_ends;
};

}  // namespace hotline::os
