#pragma once

#include <cstdint>
#include <optional>

#include "sim/model/catalog.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// Adds the kernel's RCU domain to the objects of a file that declares none, and returns its index;
/// nothing if the catalogue has no such model.
std::optional<std::uint32_t> add_kernel_rcu(Scenario& scenario, const model::Catalog& models);

/// Does so if an object waits for grace periods by itself and the operating system ticks.
void provide_kernel_rcu(Scenario& scenario, const model::Catalog& models);

}  // namespace hotline::workload
