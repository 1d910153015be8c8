#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/workload/run.hpp"

/// Who shares which line with whom: what `perf c2c` samples, counted.
namespace hotline::measure {

/// Misses of one function on one place of a line.
struct SharingCounts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;  ///< and locked operations
  std::uint64_t buffered =
      0;  ///< stores that nothing waited for: no misses, though the line is written
  std::uint64_t local_hitm = 0;   ///< served by a core of the same node that had written the line
  std::uint64_t remote_hitm = 0;  ///< and of another node
  /// Misses of a core that had lost the line though nobody had written these eight bytes since.
  std::uint64_t falsely = 0;
  engine::Duration stalled;
  std::set<std::uint32_t> cpus;
  std::set<std::uint32_t> nodes;

  void add(const SharingCounts& other);
  [[nodiscard]] std::uint64_t misses() const { return loads + stores; }
  [[nodiscard]] std::uint64_t hitm() const { return local_hitm + remote_hitm; }
};

/// A place of a line and who came there.
struct SharingEntry {
  std::uint32_t offset = 0;  ///< bytes from the start of the line
  std::string word;          ///< "ns.msg_bytes.count"; empty for unnamed bytes
  std::string field;         ///< of the workload's struct that the word belongs to: "msg_bytes"
  std::string function;      ///< empty: outside functions
  SharingCounts counts;
};

/// A line, or all whose names differ in instance numbers only.
struct SharedLine {
  std::string name;
  std::string object;  ///< the struct on it; empty for a line of a lock's or counter's own
  std::vector<SharingEntry> entries;

  [[nodiscard]] SharingCounts total() const;
  /// Fields of the struct that missed, in the order of their offsets.
  [[nodiscard]] std::vector<std::string> fields() const;
  /// True if different fields of it were used by different CPUs, one of them at least written.
  [[nodiscard]] bool is_shared_by_fields() const;
};

/// Adds up two lists, by name.
void add_sharing(std::vector<SharedLine>& sum, const std::vector<SharedLine>& other);

/// Listens to a machine from the begin to the end of the measured time.
class SharingRecorder : public machine::Probe {
 public:
  /// Must be called before the run; the run must outlive the recorder's last event.
  void attend(const workload::Run& run);

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value result,
                 bool missed, engine::SimTime when) override;
  void missed(machine::CpuId cpu, const machine::Access& access, machine::Source source,
              engine::Duration stalled, engine::SimTime when) override;
  void invalidated(machine::LineId line, machine::CoreId core, engine::SimTime when) override;
  /// Forgets what was counted so far: the measurement begins.
  void reset();

  /// Those with most hits in modified lines first, then with the longest stalls.
  [[nodiscard]] std::vector<SharedLine> lines() const;

 private:
  /// The counts of eight bytes of a line in one function.
  struct Place {
    std::uint32_t word = 0;
    std::uint32_t function = 0;  ///< its id plus 1; 0: none
    SharingCounts counts;
    std::vector<bool> cpus;  ///< that came there
  };
  /// Who came to a line, and who wrote what last, in the order of all writes.
  struct History {
    std::vector<Place> places;
    std::vector<std::uint64_t> written;                     // number of the last write, by word
    std::unordered_map<std::uint32_t, std::uint64_t> lost;  // number when a core lost its copy
  };

  History& history(machine::LineId line);
  [[nodiscard]] SharingEntry entry_of(const Place& place) const;
  SharingCounts& counts_of(machine::CpuId cpu, const machine::Access& access);

  const workload::Run* run_ = nullptr;
  std::uint8_t farthest_in_node_ = 0;  // class of distance
  std::uint64_t writes_ = 0;
  std::vector<History> histories_;  // by line
};

}  // namespace hotline::measure
