#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

/// What threads do whose waiters the machine may serve in batches.
enum class Pattern : std::uint8_t {
  kTicketOneWord,  ///< newcomers disturb the waiters
  kTicketSplit,    ///< ticket and owner on two lines
  kBarrier,        ///< one store releases all
  kTestAndTestAndSet,
  kBroadcast,     ///< stores in quick succession, so that waiters miss some
  kStoreAndWait,  ///< waiters whose own stores to the line are still in the store buffer
};
inline constexpr Pattern kPatterns[] = {Pattern::kTicketOneWord, Pattern::kTicketSplit,
                                        Pattern::kBarrier,       Pattern::kTestAndTestAndSet,
                                        Pattern::kBroadcast,     Pattern::kStoreAndWait};

struct WaitingSetup {
  machine::Description machine;
  Pattern pattern = Pattern::kTicketOneWord;
  Pace pace = Pace::kTight;
  engine::TieOrder ties = {};
  std::uint32_t threads = 1;
  bool compact = false;  ///< on the first CPUs, not spread evenly over all
  std::uint32_t rounds = 8;
  Duration hold = ns(37);
  Duration think = ns(150);
};

/// Everything that must not depend on whether waiters are served in batches.
struct Course {
  std::vector<std::vector<SimTime>> passed;  ///< by thread: when each wait was over
  machine::Counts counts;
  SimTime end;
  std::uint64_t events = 0;  ///< this may depend on it
};

/// Runs the pattern to its end.
Course run_pattern(const WaitingSetup& setup, bool batching);

/// Empty if two courses agree to the picosecond, else the first difference.
std::string difference(const Course& a, const Course& b);

}  // namespace hotline::tests
