#include <algorithm>
#include <array>

#include "sim/input/types.hpp"
#include "sim/model/catalog.hpp"
#include "sim/workload/kernel_rcu.hpp"
#include "sim/workload/step_reader.hpp"

// Steps of RCU domains: readers, grace periods, and what is done after one.
namespace hotline::workload {

using input::MapReader;
using input::Value;

namespace {

/// What a callback may do: it runs in a softirq, on some CPU, when its thread has long gone on.
constexpr std::array<std::string_view, 21> kDeferrable{
    "call",   "compute",  "add",       "read",
    "sum",    "touch",    "scan",      "load",
    "store",  "fence",    "if",        "set",
    "count",  "loop",     "fetch_add", "compare_exchange",
    "choose", "exchange", "fetch_and", "fetch_or",
    "stall"};

/// A reference to the whole of an object.
template <class Index>
Reference to(Index object) {
  Reference reference;
  reference.object = static_cast<std::uint32_t>(object);
  return reference;
}

}  // namespace

void StepReader::rcu_read(const Value& value) {
  value.map([&](MapReader& map) {
    const std::uint32_t where = domain(map);
    emit({.action = Action::kRcuLock, .reference = where}, value);
    body(map, "what is done in the section");
    emit({.action = Action::kRcuUnlock}, value);
  });
}

void StepReader::synchronize(const Value& value, bool expedited) {
  value.map([&](MapReader& map) {
    const std::uint32_t where = domain(map);
    if (!map.is_dry()) check_ticks(value, where);
    emit({.action = Action::kSynchronize, .flag = expedited, .reference = where}, value);
  });
}

void StepReader::defer(const Value& value, bool only_frees) {
  value.map([&](MapReader& map) {
    const std::uint32_t where = domain(map);
    if (!map.is_dry()) check_ticks(value, where);
    Instruction call{.action = Action::kCallRcu, .flag = only_frees, .reference = where};
    const std::uint32_t head = emit(call, value);
    deferred_ = true;
    map.value("do", "what is done afterwards, on some CPU",
              [&](const Value& list) { steps(list); });
    deferred_ = false;
    emit({.action = Action::kEnd}, value);
    builder_.set_target(head, builder_.here());
  });
}

/// The domain that the step names, or the only one that there is.
std::uint32_t StepReader::domain(MapReader& map) {
  std::optional<std::uint32_t> found;
  const bool named = map.value("domain", "an RCU domain; without it, the only one of the file",
                               [&](const Value& value) { found = target(value, Want::kRcu); });
  if (map.is_dry()) return kNone;
  return named ? found.value_or(kNone) : only_domain(map.whole());
}

std::uint32_t StepReader::only_domain(const Value& value) {
  const std::vector<ObjectSpec>& objects = context_.scenario.objects;
  const auto is_domain = [](const ObjectSpec& object) {
    return object.model && object.model->entry->kind == model::Kind::kRcu;
  };
  const auto count = std::count_if(objects.begin(), objects.end(), is_domain);
  if (count > 1) {
    value.error("there are " + std::to_string(count) + " RCU domains; say which with \"domain\"");
    return kNone;
  }
  const auto found = std::find_if(objects.begin(), objects.end(), is_domain);
  if (found != objects.end()) return builder_.reference(to(found - objects.begin()));
  const auto added = context_.models == nullptr
                         ? std::nullopt
                         : add_kernel_rcu(context_.scenario, *context_.models);
  if (added) return builder_.reference(to(*added));
  value.error("there is no RCU domain");
  return kNone;
}

void StepReader::check_ticks(const Value& value, std::uint32_t domain) const {
  if (domain == kNone) return;
  const Reference& reference = builder_.reference_at(domain);
  const ObjectSpec& object = context_.scenario.objects[reference.object];
  const ModelUse& use =
      reference.field == kNone ? *object.model : *object.fields[reference.field].model;
  const std::optional<os::Parameters>& os = context_.scenario.os;
  if (!use.entry->promises.needs_ticks || (os && os->hz != 0)) return;
  value.error("grace periods of " + use.name + " need ticks; give the file an \"os\" section" +
              (os ? " with hz above 0" : ""));
}

void StepReader::check_deferred(const Value& value, std::string_view step) const {
  if (!deferred_) return;
  if (std::find(kDeferrable.begin(), kDeferrable.end(), step) != kDeferrable.end()) return;
  value.error("\"" + std::string(step) +
              "\" cannot be deferred: a callback runs in a softirq; it may compute, use memory, "
              "counters and variables, and count");
}

}  // namespace hotline::workload
