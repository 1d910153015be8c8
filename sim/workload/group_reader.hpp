#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/reader.hpp"
#include "sim/machine/topology.hpp"
#include "sim/os/placement.hpp"
#include "sim/workload/object_reader.hpp"
#include "sim/workload/step_context.hpp"

namespace hotline::workload {

/// Reads the groups of threads in two goes: counts and CPUs, by which objects are counted, and
/// then, with the objects known, the programs.
class GroupReader {
 public:
  GroupReader(Scenario& scenario, const ObjectContext& counts)
      : scenario_(scenario), counts_(counts) {}

  /// Counts and CPUs. In a dry reading, everything.
  void read(const input::Value& groups);
  /// The programs of what read() has seen. `folder` is where the names of traces start.
  void compile(input::Reading& reading, StepContext& context, const std::filesystem::path& folder);

 private:
  /// Where a group's program stands in the document, for the second go.
  struct Pending {
    const input::Node* program = nullptr;
    const input::Node* trace = nullptr;
    std::string path;
  };

  void read_group(std::string_view name, const input::Value& value);
  void read_program(input::MapReader& map, Pending& pending);
  os::Placement read_placement(input::MapReader& map) const;
  void read_scheduling(input::MapReader& map, GroupSpec& group);
  void take_cpus(GroupSpec& group, const os::Placement& placement, std::uint32_t count,
                 const input::Value& value);
  bool pinned_ = true;  // the group being read: each thread to one CPU

  Scenario& scenario_;
  const ObjectContext& counts_;
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> taken_;  // how many threads each CPU has been given
};

}  // namespace hotline::workload
