#include "sim/workload/step_reader.hpp"

// Steps that acquire and release.
namespace hotline::workload {

using input::MapReader;
using input::Value;

void StepReader::acquire(const Value& value) { acquire_as(value, Want::kLock, Action::kAcquire); }

void StepReader::release(const Value& value) {
  release_as(value, Want::kLock, {.action = Action::kRelease});
}

void StepReader::acquire_read(const Value& value) {
  acquire_as(value, Want::kReadWriteLock, Action::kAcquireRead);
}

void StepReader::release_read(const Value& value) {
  release_as(value, Want::kReadWriteLock, {.action = Action::kReleaseRead});
}

void StepReader::with(const Value& value) {
  section(value, Want::kLock, Action::kAcquire, Action::kRelease);
}

void StepReader::read_lock(const Value& value) {
  section(value, Want::kSharedLock, Action::kAcquireRead, Action::kReleaseRead);
}

void StepReader::write_lock(const Value& value) {
  section(value, Want::kSharedLock, Action::kAcquire, Action::kRelease);
}

void StepReader::acquire_as(const Value& value, Want want, Action action) {
  const auto lock = target(value, want);
  if (!lock) return;
  Instruction acquire{.action = action, .reference = *lock};
  acquire.index = call_site(value, action == Action::kAcquireRead);
  emit(acquire, value);
}

std::uint32_t StepReader::call_site(const Value& value, bool reads) {
  std::vector<CallSite>& sites = context_.scenario.names.call_sites;
  sites.push_back({functions_.empty() ? group_ : functions_.back(), value.place().position, reads,
                   blamed_caller()});
  return static_cast<std::uint32_t>(sites.size() - 1);
}

/// Whether the function is a name for one acquisition, as the kernel's _raw_spin_lock is.
bool StepReader::only_acquires(const std::string& function) const {
  const auto found = context_.functions.find(function);
  if (found == context_.functions.end()) return false;
  const input::Node& steps = *found->second;
  if (!steps.is_list() || steps.items.size() != 1) return false;
  const input::Node& step = steps.items.front();
  return step.find("acquire") != nullptr || step.find("acquire_read") != nullptr;
}

std::string StepReader::blamed_caller() const {
  auto function = functions_.rbegin();
  while (function != functions_.rend() && only_acquires(*function)) ++function;
  return function == functions_.rend() ? group_ : *function;
}

void StepReader::release_as(const Value& value, Want want, Instruction release) {
  const auto lock = target(value, want);
  if (!lock) return;
  release.reference = *lock;
  emit(release, value);
}

void StepReader::section(const Value& value, Want want, Action in, Action out) {
  value.map([&](MapReader& map) {
    map.require_value("lock", "the lock to hold",
                      [&](const Value& lock) { acquire_as(lock, want, in); });
    const std::uint32_t start = builder_.here();
    body(map, "what is done while it is held");
    const input::Node* lock = map.is_dry() ? nullptr : value.node()->find("lock");
    if (lock == nullptr) return;
    release_as(Value(value.reading(), *lock, value.path() + ".lock"), want,
               {.action = out, .target = start});
  });
}

void StepReader::cond_wait(const Value& value) {
  value.map([&](MapReader& map) {
    const auto condition =
        target(map, "condition", Want::kCondition, "the condition variable to wait on");
    const auto mutex =
        target(map, "mutex", Want::kLock, "a lock that the thread holds, released while it waits");
    if (!condition || !mutex) return;
    emit({.action = Action::kCondWait,
          .reference = *condition,
          .second = *mutex,
          .index = call_site(value, false)},
         value);
  });
}

void StepReader::wake_waiters(const Value& value, bool all) {
  const auto condition = target(value, Want::kCondition);
  if (!condition) return;
  emit({.action = Action::kCondSignal, .flag = all, .reference = *condition}, value);
}

}  // namespace hotline::workload
