#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/types.hpp"

namespace hotline::machine {

/// Where the line came from that an operation missed.
struct Source {
  enum class Kind : std::uint8_t {
    kNone,    ///< no data came: ownership of a line that the core had, a far atomic, a full buffer
    kCache,   ///< the cache of the core's own domain or socket
    kMemory,  ///< the home's memory
    kCore,    ///< another core's cache, or that of a domain that shares it
  };
  Kind kind = Kind::kNone;
  std::uint8_t distance = 0;  ///< kCore: class of distance
  bool modified = false;      ///< kCore: it had been written there
};

/// What happened at eight consecutive bytes of a line.
struct WordStatistics {
  std::uint64_t reads = 0;   ///< loads that missed
  std::uint64_t writes = 0;  ///< stores and locked operations that missed
  Duration stalled;          ///< what they waited beyond a hit
};

/// What happened to one line.
struct LineStatistics {
  std::vector<std::uint64_t> transfers;  ///< from another core's cache, by distance class
  std::uint64_t from_cache = 0;          ///< filled by an agent's own cache
  std::uint64_t from_memory = 0;
  std::uint64_t reads = 0;       ///< requests for a copy
  std::uint64_t ownerships = 0;  ///< requests for ownership
  std::uint64_t far_atomics = 0;
  std::uint64_t invalidations = 0;
  Duration stalled;                   ///< all that its operations waited beyond hits
  std::vector<WordStatistics> words;  ///< by offset / 8
};

}  // namespace hotline::machine
