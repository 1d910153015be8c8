#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/input/reader.hpp"
#include "sim/machine/topology.hpp"
#include "sim/model/catalog.hpp"
#include "sim/workload/formula.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// What objects are counted by and placed on.
struct ObjectContext {
  const Scope& scope;                    ///< what counts may be computed from
  std::span<const std::int64_t> values;  ///< of the variables of `scope`
  const machine::Topology* topology;     ///< null if the machine could not be read
  std::uint32_t threads = 1;
  const model::Catalog& models;
};

/// Reads one object. What is wrong is reported and replaced by something harmless.
ObjectSpec read_object(std::string_view name, const input::Value& value,
                       const ObjectContext& context);

/// Evaluates a formula that must be a number from `least` to `most`; reports it if it is not.
std::optional<std::int64_t> read_count(const input::Value& value, const Scope& scope,
                                       std::span<const std::int64_t> values, std::int64_t least,
                                       std::int64_t most);

/// Names of objects, fields, groups, variables and functions: letters, digits, `_` and `-`, a
/// letter first.
bool check_name(std::string_view name, const input::Value& value, std::string_view what);

}  // namespace hotline::workload
