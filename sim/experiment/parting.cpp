#include "sim/experiment/parting.hpp"

#include <algorithm>

namespace hotline::experiment {

namespace {

constexpr std::size_t kMostPartings = 3;
constexpr double kLeastShare = 0.01;

machine::Bytes rounded_up(machine::Bytes bytes, machine::Bytes line) {
  return (bytes + line - 1) / line * line;
}

/// From the field's place to the next one's, or to the end of the struct.
machine::Bytes room_of(const workload::FieldSpec& field, const workload::ObjectSpec& object) {
  machine::Bytes end = object.size;
  for (const workload::FieldSpec& other : object.fields) {
    if (other.at > field.at) end = std::min(end, other.at);
  }
  return end > field.at ? end - field.at : 0;
}

}  // namespace

workload::Scenario part_fields(const workload::Scenario& scenario, const std::string& object,
                               const std::vector<std::string>& fields) {
  workload::Scenario parted = scenario;
  const machine::Bytes line = scenario.machine.line_bytes;
  for (std::size_t i = 0; i < parted.objects.size(); ++i) {
    workload::ObjectSpec& spec = parted.objects[i];
    if (spec.name != object) continue;
    for (workload::FieldSpec& field : spec.fields) {
      const auto named = std::find(fields.begin(), fields.end(), field.name);
      if (named == fields.end() || named == fields.begin()) continue;
      const machine::Bytes room = std::max(line, room_of(field, scenario.objects[i]));
      field.at = rounded_up(spec.size, line);
      spec.size = field.at + rounded_up(room, line);
    }
  }
  return parted;
}

std::vector<Parting> part_shared_lines(const Case& one, const Outcome& outcome,
                                       const Settings& settings) {
  engine::Duration all;
  for (const measure::SharedLine& line : outcome.sharing) all += line.total().stalled;
  std::vector<Parting> partings;
  std::vector<Case> cases;
  for (const measure::SharedLine& line : outcome.sharing) {
    const bool matters = line.total().stalled.ns() >= kLeastShare * all.ns();
    if (!line.is_shared_by_fields() || !matters || cases.size() == kMostPartings) continue;
    partings.push_back({line.name, line.object, line.fields(), outcome.rate().mean, 0, {}});
    cases.push_back({part_fields(one.scenario, line.object, line.fields()), one.label});
  }
  Settings plain = settings;
  plain.sharing = false;
  plain.window.reset();
  std::vector<Outcome> parted = run_cases(cases, plain);
  for (std::size_t i = 0; i < partings.size(); ++i) {
    parted[i].variant = "parted";
    partings[i].after = parted[i].rate().mean;
    partings[i].contrast = compare_point({outcome, parted[i]}).contrasts.front();
  }
  return partings;
}

}  // namespace hotline::experiment
