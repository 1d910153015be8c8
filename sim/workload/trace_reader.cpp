#include "sim/workload/trace_reader.hpp"

#include "sim/input/types.hpp"
#include "sim/workload/step_reader.hpp"

namespace hotline::workload {
namespace {

using input::MapReader;
using input::Value;

/// One recorded operation.
struct Entry {
  Duration at;
  std::uint32_t thread = 0;
  const input::Node* steps = nullptr;
};

Entry read_entry(const Value& value, std::uint32_t threads) {
  Entry entry;
  value.map(
      [&](MapReader& map) {
        entry.at = map.require("at", input::duration(), "not before this time of the run");
        entry.thread = map.require("thread", input::integer<std::uint32_t>(),
                                   "number of the thread in its group");
        map.require_value("do", "what the thread did", [&](const Value& steps) {
          entry.steps = steps.node();
          if (!steps.is_dry()) return;
          Scenario nothing;
          StepContext unused{nothing, {}, {}, {}, {}, false, nullptr};
          ProgramBuilder builder;
          StepReader(unused, builder, "").steps(steps);
        });
        if (!map.is_dry() && entry.thread >= threads) {
          map.error_at("thread", "the group has " + std::to_string(threads) + " threads, 0 to " +
                                     std::to_string(threads == 0 ? 0 : threads - 1));
          entry.steps = nullptr;
        }
      },
      "trace_entry");
  return entry;
}

void append(ProgramBuilder& builder, const Entry& entry, const Value& value, StepContext& context,
            const std::string& group) {
  Instruction wait{.action = Action::kWaitUntil};
  wait.first = builder.constant(static_cast<std::int64_t>(entry.at.ps()), Unit::kDuration);
  builder.emit(wait, value.place().position);
  StepReader(context, builder, group)
      .steps(Value(value.reading(), *entry.steps, value.path() + ".do"));
}

void read_list(const Value& list, StepContext& context, const GroupSpec& group,
               std::vector<ProgramBuilder>& builders) {
  const auto threads = static_cast<std::uint32_t>(builders.size());
  std::vector<Duration> last(threads);
  list.list([&](const Value& one) {
    const Entry entry = read_entry(one, threads);
    if (entry.steps == nullptr) return;
    if (entry.at < last[entry.thread]) {
      one.error("is before the operation that thread " + std::to_string(entry.thread) +
                " does above");
    }
    last[entry.thread] = entry.at;
    append(builders[entry.thread], entry, one, context, group.name);
  });
}

}  // namespace

std::vector<Program> read_trace(const Value& value, StepContext& context, const GroupSpec& group,
                                const std::filesystem::path& folder) {
  std::vector<ProgramBuilder> builders(group.cpus.size());
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      const auto file = map.require("file", input::text(), "a CSV file");
      if (file.empty()) return;
      const input::Node rows = load_csv_trace(folder / file, value.reading().diagnostics);
      read_list(Value(value.reading(), rows, value.path()), context, group, builders);
    });
  } else {
    read_list(value, context, group, builders);
  }
  std::vector<Program> programs;
  programs.reserve(builders.size());
  for (ProgramBuilder& builder : builders) {
    programs.push_back(builder.finish(value.place().position));
  }
  return programs;
}

void declare_trace(const Value& value) {
  value.map([&](MapReader& map) {
    map.require("file", input::text(), "at,thread,operation,target,value in each line");
  });
  value.list([](const Value& one) { read_entry(one, 0); });
}

}  // namespace hotline::workload
