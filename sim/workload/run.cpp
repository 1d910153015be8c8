#include "sim/workload/run.hpp"

#include <algorithm>

#include "sim/engine/random.hpp"
#include "sim/os/placement.hpp"
#include "sim/os/scheduler.hpp"
#include "sim/workload/diagnosis.hpp"
#include "sim/workload/interpreter.hpp"
#include "sim/workload/memory_map.hpp"
#include "sim/workload/rendezvous.hpp"

namespace hotline::workload {
namespace {

Duration scaled(Duration length, double factor) {
  return Duration::from_ps(static_cast<std::uint64_t>(static_cast<double>(length.ps()) * factor));
}

/// The scenario with the CPUs that this run draws for groups that are placed at random.
Scenario drawn(Scenario scenario, std::uint64_t seed) {
  const machine::Topology topology(scenario.machine);
  for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
    GroupSpec& group = scenario.groups[i];
    if (group.candidates.empty()) continue;
    engine::Random random(seed, "placement", i);
    os::draw(group.candidates, topology, random);
    for (std::size_t k = 0; k < group.cpus.size(); ++k) {
      group.cpus[k] = group.candidates[k % group.candidates.size()];
    }
  }
  return scenario;
}

}  // namespace

/// Everything of a run. The simulator comes first, so that it outlives whatever schedules with it.
class Run::State {
  friend class Run;

 public:
  State(const Scenario& scenario, const RunOptions& options)
      : scenario_(drawn(scenario, options.seed)),
        options_(options),
        topology_(scenario_.machine),
        simulator_(options.seed, options.tie_order),
        machine_(simulator_, topology_, {.batching = options.batching}),
        scheduler_(machine_, scenario_.os.value_or(os::Parameters())),
        memory_(scenario_, machine_, scheduler_),
        events_(scenario_.names.events.size()),
        world_{scenario_, machine_, memory_, events_, options.observer, {}, 0, {}, {}} {
    world_.shared.resize(kBuiltIns);
    world_.shared.insert(world_.shared.end(), scenario_.variables.begin(),
                         scenario_.variables.end());
    machine_.set_probe(options.probe);
    if (options.cpu_watcher != nullptr) scheduler_.watch(*options.cpu_watcher);
    watch_.run = this;
    watch_.fire = [](engine::Event* event) { static_cast<Watch*>(event)->run->look_for_work(); };
    world_.all_ended = [this] { stop_watching(); };
    for (const GroupSpec& group : scenario_.groups) add_group(group);
  }

  Ending run();

 private:
  void add_group(const GroupSpec& group);
  void adopt(os::Thread& thread);
  void begin_measurement();
  void end_measurement();
  void settle();
  bool all_ended() const;
  void look_for_work();
  void stop_watching();
  std::uint64_t progress() const;

  /// Fires now and then to see whether work gets done.
  struct Watch : engine::Event {
    State* run = nullptr;
    std::optional<engine::EventId> id;
    std::uint64_t progress = 0;
    bool hung = false;
  };

  Scenario scenario_;
  RunOptions options_;
  machine::Topology topology_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  os::Scheduler scheduler_;
  MemoryMap memory_;
  Rendezvous events_;
  World world_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
  std::vector<std::unique_ptr<Interpreter>> interpreters_;
  std::vector<std::uint32_t> groups_;  // of each thread
  Watch watch_;
  SimTime measured_from_;
  SimTime measured_to_;
  std::vector<os::TimeAccounts> accounts_at_start_;
  std::vector<std::vector<std::uint64_t>> work_at_start_;
};

void Run::State::add_group(const GroupSpec& group) {
  for (std::uint32_t member = 0; member < group.cpus.size(); ++member) {
    const ThreadId id{static_cast<std::uint32_t>(threads_.size())};
    machine::Port& port = machine_.port(group.cpus[member]);
    threads_.push_back(std::make_unique<os::Thread>(
        simulator_, port, id, group.name + "[" + std::to_string(member) + "]"));
    world_.threads.push_back(threads_.back().get());
    const std::size_t program = group.programs.size() == 1 ? 0 : member;
    interpreters_.push_back(std::make_unique<Interpreter>(
        world_, Interpreter::Self{*threads_.back(), group.programs[program], member}));
    groups_.push_back(static_cast<std::uint32_t>(&group - scenario_.groups.data()));
  }
}

Ending Run::State::run() {
  for (const auto& interpreter : interpreters_) {
    adopt(interpreter->thread());
    simulator_.spawn(interpreter->run());
  }
  const Duration warm_up =
      scaled(options_.warm_up.value_or(scenario_.measure.warm_up), options_.duration_scale);
  const std::optional<Duration>& duration =
      options_.duration ? options_.duration : scenario_.measure.duration;
  watch_.id = simulator_.schedule(scenario_.measure.hang_after, watch_);
  if (warm_up != Duration()) simulator_.run_until(SimTime() + warm_up);
  begin_measurement();
  if (watch_.hung) {
    // Nothing is left to be measured.
  } else if (duration) {
    simulator_.run_until(measured_from_ + scaled(*duration, options_.duration_scale));
  } else {
    simulator_.run();
  }
  end_measurement();
  stop_watching();
  if (all_ended()) return Ending::kFinished;
  return watch_.hung || simulator_.idle() ? Ending::kStuck : Ending::kTimeUp;
}

/// Looks whether work has been done since the last look, and ends the run if not.
void Run::State::look_for_work() {
  watch_.id.reset();
  const std::uint64_t now = progress();
  watch_.hung = now == watch_.progress;
  watch_.progress = now;
  if (watch_.hung) {
    simulator_.stop();
  } else {
    watch_.id = simulator_.schedule(scenario_.measure.hang_after, watch_);
  }
}

void Run::State::stop_watching() {
  if (watch_.id) simulator_.cancel(*watch_.id);
  watch_.id.reset();
}

/// Grows with each work counted and each program that ends.
std::uint64_t Run::State::progress() const {
  std::uint64_t done = 0;
  for (const auto& interpreter : interpreters_) {
    if (interpreter->ended()) ++done;
    for (const std::uint64_t work : interpreter->work()) done += work;
  }
  return done;
}

void Run::State::adopt(os::Thread& thread) {
  const GroupSpec& group = scenario_.groups[groups_[thread.id().value]];
  std::vector<machine::CpuId> allowed = group.allowed;
  if (allowed.empty()) allowed = {thread.cpu()};
  thread.set_in_kernel(group.in_kernel);
  scheduler_.adopt(thread, group.priority, std::move(allowed));
}

void Run::State::begin_measurement() {
  settle();
  measured_from_ = simulator_.now();
  for (const auto& interpreter : interpreters_) {
    accounts_at_start_.push_back(interpreter->thread().accounts());
    work_at_start_.push_back(interpreter->work());
  }
  machine_.reset_statistics();
  if (options_.observer != nullptr) options_.observer->measurement_began(measured_from_);
}

void Run::State::end_measurement() {
  settle();
  measured_to_ = simulator_.now();
  if (options_.observer != nullptr) options_.observer->measurement_ended(measured_to_);
}

void Run::State::settle() {
  for (const auto& interpreter : interpreters_) interpreter->settle();
}

bool Run::State::all_ended() const {
  return std::all_of(interpreters_.begin(), interpreters_.end(),
                     [](const auto& interpreter) { return interpreter->ended(); });
}

Run::Run(const Scenario& scenario, const RunOptions& options)
    : state_(std::make_unique<State>(scenario, options)) {}

Run::~Run() = default;

Ending Run::run() { return state_->run(); }

const Scenario& Run::scenario() const { return state_->scenario_; }
const machine::Topology& Run::topology() const { return state_->topology_; }
machine::Machine& Run::machine() { return state_->machine_; }
engine::Simulator& Run::simulator() { return state_->simulator_; }

std::uint32_t Run::threads() const { return static_cast<std::uint32_t>(state_->threads_.size()); }
const os::Thread& Run::thread(ThreadId id) const { return *state_->threads_[id.value]; }
const std::string& Run::group_of(ThreadId id) const {
  return state_->scenario_.groups[state_->groups_[id.value]].name;
}

const os::Thread* Run::running_on(machine::CpuId cpu) const {
  return state_->scheduler_.current(cpu);
}

SimTime Run::measured_from() const { return state_->measured_from_; }
SimTime Run::measured_to() const { return state_->measured_to_; }

const std::vector<LockInfo>& Run::locks() const { return state_->memory_.locks(); }
const std::vector<CallSite>& Run::call_sites() const { return state_->scenario_.names.call_sites; }
const std::vector<std::string>& Run::works() const { return state_->scenario_.names.works; }
const std::vector<std::string>& Run::functions() const { return state_->scenario_.names.functions; }

std::string Run::caller_of(os::FunctionId function) const {
  const Names& names = state_->scenario_.names;
  const std::uint32_t caller = names.callers[function.value];
  return caller == kNone ? "" : names.functions[caller];
}

std::vector<os::FunctionId> Run::calls_of(os::FunctionId function) const {
  std::vector<os::FunctionId> calls;
  for (std::uint32_t id = function.value; id != kNone;) {
    calls.push_back({id});
    id = state_->scenario_.names.callers[id];
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

std::vector<SharedVariable> Run::shared_variables() const {
  std::vector<SharedVariable> shared;
  const auto& variables = state_->scenario_.names.scope.variables();
  for (std::uint32_t slot = 0; slot < variables.size(); ++slot) {
    const Scope::Variable& variable = variables[slot];
    if (!variable.shared || variable.unit != Unit::kNumber) continue;
    shared.push_back({variable.name, slot, state_->world_.shared[slot]});
  }
  return shared;
}

const std::vector<CounterInfo>& Run::counters() const { return state_->memory_.counters(); }
std::int64_t Run::total(std::size_t index) const {
  return state_->memory_.counter(index).counter->total();
}

const std::vector<WordName>& Run::words() const { return state_->memory_.words(); }

std::string Run::describe_line(machine::LineId line) const {
  constexpr std::size_t kMostNames = 4;
  const std::vector<WordName>& words = state_->memory_.words();
  auto word =
      std::lower_bound(words.begin(), words.end(), line,
                       [](const WordName& w, machine::LineId l) { return w.word.line < l; });
  std::string text;
  std::size_t names = 0;
  for (; word != words.end() && word->word.line == line; ++word) {
    if (++names > kMostNames) continue;
    text += (text.empty() ? "" : ", ") + word->name;
  }
  if (names > kMostNames) text += " and " + std::to_string(names - kMostNames) + " more";
  if (!text.empty()) return text;
  const auto owner = state_->machine_.owner(line);
  if (owner.label.empty()) return {};
  return std::string(owner.label) + "+" + std::to_string(owner.offset);
}

os::TimeAccounts Run::accounts(ThreadId id) const {
  state_->interpreters_[id.value]->settle();
  return state_->threads_[id.value]->accounts();
}
const os::TimeAccounts& Run::accounts_at_start(ThreadId id) const {
  return state_->accounts_at_start_[id.value];
}

std::uint64_t Run::work(WorkId work, ThreadId thread) const {
  return state_->interpreters_[thread.value]->work()[work.value] -
         state_->work_at_start_[thread.value][work.value];
}

std::uint64_t Run::work(WorkId work) const {
  std::uint64_t all = 0;
  for (std::uint32_t thread = 0; thread < threads(); ++thread) all += this->work(work, {thread});
  return all;
}

std::vector<std::string> Run::stuck() const {
  std::vector<Standstill> threads;
  for (const auto& interpreter : state_->interpreters_) {
    if (!interpreter->ended()) threads.push_back(interpreter->standstill());
  }
  return diagnose(threads, state_->scenario_, state_->simulator_.now());
}

}  // namespace hotline::workload
