#include "sim/measure/sharing.hpp"

#include <algorithm>
#include <map>

#include "sim/measure/measurement.hpp"

namespace hotline::measure {

using machine::Op;

namespace {

constexpr std::uint32_t kWordBytes = 8;

bool reads_only(Op op) { return op == Op::kLoad || op == Op::kSpin; }

bool is_prefetch(Op op) { return op == Op::kPrefetchRead || op == Op::kPrefetchWrite; }

/// "msg_bytes" of "ns.msg_bytes.count" and "lock" of "queue[7].lock.tail"; empty for an object that
/// is no struct, whose words are its model's own.
std::string field_of(const workload::WordName& word, const workload::Scenario& scenario) {
  const auto spec =
      std::find_if(scenario.objects.begin(), scenario.objects.end(),
                   [&](const workload::ObjectSpec& object) { return object.name == word.object; });
  if (spec == scenario.objects.end() || spec->fields.empty()) return "";
  const std::size_t begin = word.name.find('.', word.object.size());
  if (begin == std::string::npos) return "";
  const std::string rest = word.name.substr(begin + 1);
  return rest.substr(0, rest.find_first_of(".["));
}

/// The words that lie at eight bytes of a line.
using Names =
    std::map<std::pair<machine::LineId, std::uint32_t>, std::vector<const workload::WordName*>>;

Names names_of(const workload::Run& run) {
  Names names;
  for (const workload::WordName& word : run.words()) {
    names[{word.word.line, word.word.offset / kWordBytes}].push_back(&word);
  }
  return names;
}

/// What the words are called that lie at an entry's place.
void name_entry(SharingEntry& entry, const std::vector<const workload::WordName*>& words,
                const workload::Scenario& scenario) {
  for (const workload::WordName* word : words) {
    entry.word += (entry.word.empty() ? "" : ", ") + without_instances(word->name);
  }
  entry.field = field_of(*words.front(), scenario);
}

bool same_place(const SharingEntry& a, const SharingEntry& b) {
  return a.offset == b.offset && a.word == b.word && a.function == b.function;
}

void add_entry(SharedLine& line, const SharingEntry& entry) {
  const auto same =
      std::find_if(line.entries.begin(), line.entries.end(),
                   [&](const SharingEntry& known) { return same_place(known, entry); });
  if (same == line.entries.end()) {
    line.entries.push_back(entry);
  } else {
    same->counts.add(entry.counts);
  }
}

void sort_lines(std::vector<SharedLine>& lines) {
  for (SharedLine& line : lines) {
    std::stable_sort(line.entries.begin(), line.entries.end(),
                     [](const SharingEntry& a, const SharingEntry& b) {
                       if (a.offset != b.offset) return a.offset < b.offset;
                       return a.counts.stalled > b.counts.stalled;
                     });
  }
  std::stable_sort(lines.begin(), lines.end(), [](const SharedLine& a, const SharedLine& b) {
    const SharingCounts left = a.total();
    const SharingCounts right = b.total();
    if (left.hitm() != right.hitm()) return left.hitm() > right.hitm();
    return left.stalled > right.stalled;
  });
}

}  // namespace

void SharingCounts::add(const SharingCounts& other) {
  loads += other.loads;
  stores += other.stores;
  buffered += other.buffered;
  local_hitm += other.local_hitm;
  remote_hitm += other.remote_hitm;
  falsely += other.falsely;
  stalled += other.stalled;
  cpus.insert(other.cpus.begin(), other.cpus.end());
  nodes.insert(other.nodes.begin(), other.nodes.end());
}

SharingCounts SharedLine::total() const {
  SharingCounts sum;
  for (const SharingEntry& entry : entries) sum.add(entry.counts);
  return sum;
}

std::vector<std::string> SharedLine::fields() const {
  std::vector<std::string> names;
  for (const SharingEntry& entry : entries) {
    const bool known = std::find(names.begin(), names.end(), entry.field) != names.end();
    if (!entry.field.empty() && !known) names.push_back(entry.field);
  }
  return names;
}

bool SharedLine::is_shared_by_fields() const {
  for (const SharingEntry& writer : entries) {
    const bool writes = writer.counts.stores > 0 || writer.counts.buffered > 0;
    if (!writes || writer.field.empty()) continue;
    for (const SharingEntry& other : entries) {
      if (other.field.empty() || other.field == writer.field) continue;
      std::set<std::uint32_t> both = writer.counts.cpus;
      both.insert(other.counts.cpus.begin(), other.counts.cpus.end());
      if (both.size() > 1) return true;
    }
  }
  return false;
}

void add_sharing(std::vector<SharedLine>& sum, const std::vector<SharedLine>& other) {
  for (const SharedLine& line : other) {
    const auto same = std::find_if(
        sum.begin(), sum.end(), [&](const SharedLine& known) { return known.name == line.name; });
    if (same == sum.end()) {
      sum.push_back(line);
      continue;
    }
    for (const SharingEntry& entry : line.entries) add_entry(*same, entry);
  }
  sort_lines(sum);
}

SharingRecorder::History& SharingRecorder::history(machine::LineId line) {
  if (line.value >= histories_.size()) histories_.resize(line.value + std::size_t{1});
  History& history = histories_[line.value];
  if (history.written.empty()) {
    history.written.resize(run_->topology().description().line_bytes / kWordBytes);
  }
  return history;
}

void SharingRecorder::attend(const workload::Run& run) {
  run_ = &run;
  const machine::Topology& topology = run.topology();
  constexpr machine::CoreId kFirst{0};
  for (std::uint32_t core = 0; core < topology.cores(); ++core) {
    if (topology.node_of({core}) != topology.node_of(kFirst)) continue;
    farthest_in_node_ = std::max(farthest_in_node_, topology.distance(kFirst, {core}));
  }
}

void SharingRecorder::reset() {
  for (History& history : histories_) history.places.clear();
}

SharingCounts& SharingRecorder::counts_of(machine::CpuId cpu, const machine::Access& access) {
  const os::Thread* thread = run_->running_on(cpu);
  const bool inside = thread != nullptr && !thread->calls().empty();
  const std::uint32_t word = access.word.offset / kWordBytes;
  const std::uint32_t function = inside ? thread->calls().back().value + 1 : 0;
  std::vector<Place>& places = history(access.word.line).places;
  auto place = std::find_if(places.begin(), places.end(), [&](const Place& known) {
    return known.word == word && known.function == function;
  });
  if (place == places.end()) {
    places.push_back({word, function, {}, std::vector<bool>(run_->topology().cpus())});
    place = places.end() - 1;
  }
  place->cpus[cpu.value] = true;
  return place->counts;
}

void SharingRecorder::performed(machine::CpuId cpu, const machine::Access& access, machine::Value,
                                bool missed, engine::SimTime) {
  if (reads_only(access.op) || access.op == Op::kFence || is_prefetch(access.op)) return;
  history(access.word.line).written[access.word.offset / kWordBytes] = ++writes_;
  if (!missed && access.op == Op::kStore) ++counts_of(cpu, access).buffered;
}

void SharingRecorder::invalidated(machine::LineId line, machine::CoreId core, engine::SimTime) {
  history(line).lost[core.value] = writes_;
}

void SharingRecorder::missed(machine::CpuId cpu, const machine::Access& access,
                             machine::Source source, engine::Duration stalled, engine::SimTime) {
  SharingCounts& counts = counts_of(cpu, access);
  ++(reads_only(access.op) ? counts.loads : counts.stores);
  counts.stalled += stalled;
  if (source.kind == machine::Source::Kind::kCore && source.modified) {
    ++(source.distance <= farthest_in_node_ ? counts.local_hitm : counts.remote_hitm);
  }
  const History& past = history(access.word.line);
  const auto lost = past.lost.find(run_->topology().core_of(cpu).value);
  const std::uint64_t written = past.written[access.word.offset / kWordBytes];
  if (lost != past.lost.end() && written <= lost->second) ++counts.falsely;
}

SharingEntry SharingRecorder::entry_of(const Place& place) const {
  const machine::Topology& topology = run_->topology();
  SharingEntry entry;
  entry.offset = place.word * kWordBytes;
  entry.counts = place.counts;
  if (place.function > 0) entry.function = run_->functions()[place.function - 1];
  for (std::uint32_t cpu = 0; cpu < place.cpus.size(); ++cpu) {
    if (!place.cpus[cpu]) continue;
    entry.counts.cpus.insert(cpu);
    entry.counts.nodes.insert(topology.node_of(topology.core_of({cpu})).value);
  }
  return entry;
}

std::vector<SharedLine> SharingRecorder::lines() const {
  const Names names = names_of(*run_);
  std::map<std::string, SharedLine> by_name;
  for (std::uint32_t line = 0; line < histories_.size(); ++line) {
    if (histories_[line].places.empty()) continue;
    std::string name = run_->describe_line({line});
    if (name.empty()) name = "line " + std::to_string(line);
    SharedLine& shared = by_name[without_instances(name)];
    shared.name = without_instances(name);
    for (const Place& place : histories_[line].places) {
      const auto here = names.find({machine::LineId{line}, place.word});
      SharingEntry entry = entry_of(place);
      if (here != names.end()) name_entry(entry, here->second, run_->scenario());
      if (!entry.field.empty()) shared.object = here->second.front()->object;
      add_entry(shared, entry);
    }
  }
  std::vector<SharedLine> lines;
  lines.reserve(by_name.size());
  for (auto& [name, line] : by_name) lines.push_back(std::move(line));
  sort_lines(lines);
  return lines;
}

}  // namespace hotline::measure
