#pragma once

#include <optional>

#include "sim/input/reader.hpp"
#include "sim/model/catalog.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// Reads the keys `model` and `with` of a map: a model of the catalogue and its parameters, which
/// are checked by building the model once on a machine of one core.
std::optional<ModelUse> read_model(input::MapReader& map, const model::Catalog& models);

}  // namespace hotline::workload
