#include "sim/workload/group_reader.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/input/types.hpp"
#include "sim/workload/step_reader.hpp"
#include "sim/workload/trace_reader.hpp"

namespace hotline::workload {

using input::MapReader;
using input::Value;

namespace {

constexpr std::int64_t kMostThreads = 1'000'000;

std::vector<std::uint32_t> read_numbers(MapReader& map, std::string_view key,
                                        std::string_view description) {
  std::vector<std::uint32_t> numbers;
  map.value(key, description, [&](const Value& list) {
    list.list(
        [&](const Value& one) {
          if (const auto number = one.as(input::integer<std::uint32_t>())) {
            numbers.push_back(*number);
          }
        },
        {1, 100'000});
  });
  return numbers;
}

}  // namespace

void GroupReader::read(const Value& groups) {
  groups.entries([&](std::string_view name, const Value& group) { read_group(name, group); },
                 {1, 1000});
}

void GroupReader::read_group(std::string_view name, const Value& value) {
  check_name(name, value, "a group of threads");
  GroupSpec group;
  group.name = name;
  Pending pending;
  pending.path = value.path();
  value.map([&](MapReader& map) {
    std::uint32_t count = 1;
    map.value("count", "how many threads", [&](const Value& formula) {
      const auto found = read_count(formula, counts_.scope, counts_.values, 0, kMostThreads);
      count = static_cast<std::uint32_t>(found.value_or(0));
    });
    const os::Placement placement = read_placement(map);
    read_scheduling(map, group);
    read_program(map, pending);
    if (!map.is_dry()) take_cpus(group, placement, count, value);
  });
  if (value.is_dry()) return;
  pending_.push_back(std::move(pending));
  scenario_.groups.push_back(std::move(group));
}

os::Placement GroupReader::read_placement(MapReader& map) const {
  os::Placement placement;
  placement.spread = map.get("placement",
                             input::choice<os::Spread>({{"compact", os::Spread::kCompact},
                                                        {"compact-smt", os::Spread::kCompactSmt},
                                                        {"scatter", os::Spread::kScatter},
                                                        {"random", os::Spread::kRandom}}),
                             os::Spread::kCompact, "in which order CPUs are taken");
  placement.cpus = read_numbers(map, "cpus", "exactly these CPUs, in this order");
  placement.nodes = read_numbers(map, "nodes", "only CPUs of these NUMA nodes");
  return placement;
}

void GroupReader::read_scheduling(MapReader& map, GroupSpec& group) {
  pinned_ = map.get("pin", input::choice<bool>({{"cpu", true}, {"group", false}}), true,
                    "cpu: each thread stays on its CPU; group: on any CPU of the group's");
  group.priority.real_time =
      static_cast<std::uint8_t>(map.get("real_time", input::integer<std::uint32_t>(0, 99), 0U,
                                        "real-time priority (SCHED_FIFO), 99 before 1; 0: none"));
  group.priority.nice =
      map.get("nice", input::integer<std::int32_t>(-20, 19), 0, "weight of a fair thread");
  group.in_kernel = map.get("mode", input::choice<bool>({{"user", false}, {"kernel", true}}), false,
                            "kernel: preempted only as os.preemption says");
  if (map.is_dry() || scenario_.os) return;
  for (const std::string_view key : {"pin", "real_time", "nice"}) {
    if (map.has(key)) map.error_at(key, "needs an \"os\" section");
  }
}

void GroupReader::read_program(MapReader& map, Pending& pending) {
  map.value("program", "the steps of each thread", [&](const Value& program) {
    pending.program = program.node();
    if (!program.is_dry()) return;
    StepContext unused{scenario_, {}, {}, {}, {}, false, nullptr};
    ProgramBuilder builder;
    StepReader(unused, builder, "").steps(program);
  });
  map.value("trace", "recorded operations of each thread: a list, or a CSV file",
            [&](const Value& trace) {
              pending.trace = trace.node();
              if (trace.is_dry()) declare_trace(trace);
            });
  if (!map.is_dry() && map.has("program") == map.has("trace")) {
    map.whole().error("a group has either a program or a trace");
  }
}

void GroupReader::take_cpus(GroupSpec& group, const os::Placement& placement, std::uint32_t count,
                            const Value& value) {
  scenario_.threads += count;
  if (counts_.topology == nullptr) {
    group.cpus.resize(count);
    return;
  }
  taken_.resize(counts_.topology->cpus());
  std::vector<machine::CpuId> order;
  try {
    order = os::placement_order(*counts_.topology, placement);
  } catch (const std::invalid_argument& error) {
    value.error(error.what());
    return;
  }
  if (!pinned_) group.allowed = order;
  std::stable_sort(order.begin(), order.end(), [&](machine::CpuId a, machine::CpuId b) {
    return taken_[a.value] < taken_[b.value];
  });
  const bool is_random = placement.spread == os::Spread::kRandom;
  if (scenario_.os) {
    if (is_random) group.candidates = order;
    for (std::uint32_t k = 0; k < count; ++k) {
      const machine::CpuId cpu = order[k % order.size()];
      ++taken_[cpu.value];
      group.cpus.push_back(cpu);
    }
    return;
  }
  std::erase_if(order, [&](machine::CpuId cpu) { return taken_[cpu.value] > 0; });
  if (count > order.size()) {
    value.error(std::to_string(count) + " threads do not fit on the " +
                std::to_string(order.size()) +
                " CPUs that are left for them; more threads than CPUs need an \"os\" section");
    return;
  }
  if (is_random) group.candidates = order;  // nobody else gets what it may draw
  for (const machine::CpuId cpu : group.candidates) taken_[cpu.value] = 1;
  order.resize(count);
  for (const machine::CpuId cpu : order) taken_[cpu.value] = 1;
  group.cpus = std::move(order);
}

void GroupReader::compile(input::Reading& reading, StepContext& context,
                          const std::filesystem::path& folder) {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& pending = pending_[i];
    GroupSpec& group = scenario_.groups[i];
    if (pending.program != nullptr) {
      ProgramBuilder builder;
      StepReader(context, builder, group.name)
          .steps(Value(reading, *pending.program, pending.path + ".program"));
      group.programs.push_back(builder.finish(pending.program->position));
    } else if (pending.trace != nullptr) {
      const Value trace(reading, *pending.trace, pending.path + ".trace");
      group.programs = read_trace(trace, context, group, folder);
    }
  }
}

}  // namespace hotline::workload
