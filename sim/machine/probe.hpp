#pragma once

#include "sim/machine/line_statistics.hpp"
#include "sim/machine/operation.hpp"

namespace hotline::machine {

/// What a core asks the keepers of a line for.
enum class Request : std::uint8_t { kCopy, kOwnership, kFarAtomic };

/// What can be watched while a machine runs. Every call costs simulated nothing; a machine without
/// a probe pays one predictable branch. Times are absolute.
class Probe {
 public:
  virtual ~Probe() = default;
  /// An operation has been performed: its value is final. `missed`: it had to wait for the line.
  virtual void performed(CpuId, const Access&, Value /*result*/, bool /*missed*/, SimTime) {}
  /// A store has left its store buffer: from now on others can see it.
  virtual void committed(CpuId, Word, Value, SimTime) {}
  /// A core asks for a line; its request leaves the core at `departs`.
  virtual void asked(LineId, CoreId, Request, SimTime /*now*/, SimTime /*departs*/) {}
  /// A keeper (an index into Legs::keepers()) takes up the request of a core, which has waited
  /// there since `arrived`.
  virtual void taken_up(LineId, CoreId, std::uint32_t /*keeper*/, SimTime /*arrived*/, SimTime) {}
  /// The line, or a copy, has come to a core: the end of its request.
  virtual void filled(LineId, CoreId, bool /*exclusive*/, SimTime) {}
  /// It had to wait for the line, `stalled` beyond a hit, and what came came from `source`; told
  /// before performed(). Fences are not told of.
  virtual void missed(CpuId, const Access&, Source /*source*/, Duration /*stalled*/, SimTime) {}
  /// A line's ownership or a copy has gone to `to`; `from` had it (or to == from: from a cache
  /// level or memory).
  virtual void transferred(LineId, CoreId /*from*/, CoreId /*to*/, bool /*exclusive*/, SimTime) {}
  /// A core has lost its copy.
  virtual void invalidated(LineId, CoreId, SimTime) {}
};

}  // namespace hotline::machine
