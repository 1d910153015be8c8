#include "sim/workload/kernel_rcu.hpp"

#include <algorithm>
#include <string_view>

namespace hotline::workload {
namespace {

constexpr std::string_view kKernelRcu = "rcu";

template <class Wanted>
bool any_model(const ObjectSpec& object, Wanted wanted) {
  const auto is_wanted = [&](const std::optional<ModelUse>& use) {
    return use && wanted(use->entry->promises);
  };
  return is_wanted(object.model) ||
         std::any_of(object.fields.begin(), object.fields.end(),
                     [&](const FieldSpec& field) { return is_wanted(field.model); });
}

}  // namespace

std::optional<std::uint32_t> add_kernel_rcu(Scenario& scenario, const model::Catalog& models) {
  const model::Entry* entry = models.find(kKernelRcu);
  if (entry == nullptr) return std::nullopt;
  ObjectSpec kernel;
  kernel.name = kKernelRcu;
  const auto taken = [&](const ObjectSpec& object) { return object.name == kernel.name; };
  if (std::any_of(scenario.objects.begin(), scenario.objects.end(), taken)) {
    kernel.name = "kernel-rcu";
  }
  kernel.model = ModelUse{std::string(kKernelRcu), entry, {}};
  scenario.objects.push_back(std::move(kernel));
  return static_cast<std::uint32_t>(scenario.objects.size() - 1);
}

void provide_kernel_rcu(Scenario& scenario, const model::Catalog& models) {
  if (!scenario.os || scenario.os->hz == 0) return;
  const auto any = [&](auto wanted) {
    return std::any_of(scenario.objects.begin(), scenario.objects.end(),
                       [&](const ObjectSpec& object) { return any_model(object, wanted); });
  };
  const bool used = any([](const model::Promises& promises) { return promises.uses_rcu; });
  const bool there = any([](const model::Promises& promises) { return promises.needs_ticks; });
  if (used && !there) add_kernel_rcu(scenario, models);
}

}  // namespace hotline::workload
