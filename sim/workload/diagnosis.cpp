#include "sim/workload/diagnosis.hpp"

#include <algorithm>
#include <map>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "sim/os/scheduler.hpp"

namespace hotline::workload {

using engine::SimTime;

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Threads = std::vector<Standstill>;

std::optional<std::size_t> find(const Threads& threads, std::optional<os::ThreadId> id) {
  for (std::size_t i = 0; id && i < threads.size(); ++i) {
    if (threads[i].thread->id() == *id) return i;
  }
  return std::nullopt;
}

const std::string& name_of(const Standstill& stand) { return stand.thread->name(); }

/// The cycles of the graph of who waits for whom. A thread waits for one other at most, so each
/// strong component of several threads is one.
void report_cycles(const Threads& threads, std::vector<std::string>& lines) {
  Graph graph(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (const auto holder = find(threads, threads[i].holder)) boost::add_edge(i, *holder, graph);
  }
  std::vector<std::size_t> component(threads.size());
  const auto components = boost::strong_components(
      graph,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::size_t> size(components);
  for (const std::size_t of : component) ++size[of];
  std::vector<bool> told(components);
  for (std::size_t first = 0; first < threads.size(); ++first) {
    if (size[component[first]] < 2 || told[component[first]]) continue;
    told[component[first]] = true;
    std::string line = "deadlock: ";
    std::size_t at = first;
    do {
      const std::size_t next = *find(threads, threads[at].holder);
      line += (at == first ? "" : "; ") + name_of(threads[at]) + " waits for " + threads[at].lock +
              ", which " + name_of(threads[next]) + " holds";
      at = next;
    } while (at != first);
    lines.push_back(std::move(line));
  }
}

/// Waits for what nobody will give any more: a line for each lock, and for each sleeper.
void report_lost(const Threads& threads, std::vector<std::string>& lines) {
  std::map<std::string, std::vector<const Standstill*>> waiting;
  for (const Standstill& stand : threads) {
    if (stand.lock_is_free) waiting[stand.lock].push_back(&stand);
    if (!stand.event.empty() && stand.thread->state() == os::ThreadState::kBlocked) {
      lines.push_back("lost wake-up: " + name_of(stand) + " waits for " + stand.event);
    }
  }
  for (const auto& [lock, stands] : waiting) {
    const bool sleeps = stands.front()->thread->state() == os::ThreadState::kBlocked;
    std::string line = sleeps ? "lost wake-up: " : "lost hand-over: ";
    line += name_of(*stands.front());
    if (stands.size() > 1)
      line.append(" and ").append(std::to_string(stands.size() - 1)).append(" more");
    line.append(stands.size() == 1 ? " waits for " : " wait for ").append(lock);
    lines.push_back(line.append(", which nobody holds"));
  }
}

std::string priority_of(const os::Thread& thread) {
  const unsigned real_time = thread.priority().real_time;
  return real_time == 0 ? "" : " (real-time " + std::to_string(real_time) + ")";
}

/// Holders that are ready to run while others have their CPUs.
void report_starved(const Threads& threads, std::vector<std::string>& lines) {
  std::vector<std::size_t> told;
  for (const Standstill& stand : threads) {
    const auto holder = find(threads, stand.holder);
    if (!holder || std::find(told.begin(), told.end(), *holder) != told.end()) continue;
    const os::Thread& starved = *threads[*holder].thread;
    if (starved.state() != os::ThreadState::kRunnable) continue;
    told.push_back(*holder);
    const os::Thread* runs = starved.scheduler()->current(starved.cpu());
    std::string line = "starvation: " + starved.name() + ", which holds " + stand.lock +
                       ", is ready to run but has no CPU";
    if (runs != nullptr) {
      line += ": " + runs->name() + priority_of(*runs) + " has CPU " +
              std::to_string(starved.cpu().value);
    }
    lines.push_back(std::move(line));
  }
}

std::string state_of(const Standstill& stand) {
  switch (stand.thread->state()) {
    case os::ThreadState::kRunnable:
      return "ready to run";
    case os::ThreadState::kBlocked:
      return "asleep";
    default:
      if (!stand.thread->on_cpu()) return "running on a vCPU that is taken away";
      return stand.lock.empty() ? "running" : "spinning";
  }
}

/// To a tenth of a unit that leaves few digits.
std::string rounded(Duration length) {
  std::uint64_t tenths = length.ps() / 100;
  const char* unit = "ns";
  for (const char* larger : {"us", "ms"}) {
    if (tenths < 100'000) break;
    tenths /= 1000;
    unit = larger;
  }
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + unit;
}

std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

std::string line_of(const Threads& threads, const Standstill& stand, const Scenario& scenario,
                    SimTime now) {
  std::string line = name_of(stand) + ": CPU " + std::to_string(stand.thread->cpu().value) + ", " +
                     state_of(stand) + priority_of(*stand.thread);
  if (!stand.holds.empty()) line += "; holds " + joined(stand.holds, ", ");
  if (!stand.lock.empty()) {
    line += "; waits for " + stand.lock;
    if (const auto holder = find(threads, stand.holder)) {
      line += ", held by " + name_of(threads[*holder]) + ",";
    } else if (stand.readers > 0) {
      line += ", held by " + std::to_string(stand.readers) + " readers,";
    }
  } else if (!stand.event.empty()) {
    line += "; waits for " + stand.event;
  }
  if (!stand.lock.empty() || !stand.event.empty()) {
    line +=
        " since " + rounded(stand.since - SimTime()) + " (for " + rounded(now - stand.since) + ")";
  }
  std::vector<std::string> calls;
  for (const os::FunctionId function : stand.thread->calls()) {
    calls.push_back(scenario.names.functions[function.value]);
  }
  if (!calls.empty()) line += "; in " + joined(calls, " > ");
  return line + "; at " + scenario.file + ":" + stand.where;
}

}  // namespace

std::vector<std::string> diagnose(const std::vector<Standstill>& threads, const Scenario& scenario,
                                  SimTime now) {
  std::vector<std::string> lines;
  report_cycles(threads, lines);
  report_lost(threads, lines);
  report_starved(threads, lines);
  if (lines.empty()) lines.emplace_back("no work gets done, though threads run: a live-lock");
  for (const Standstill& stand : threads) lines.push_back(line_of(threads, stand, scenario, now));
  return lines;
}

}  // namespace hotline::workload
