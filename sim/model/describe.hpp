#pragma once

#include <vector>

#include "sim/model/model.hpp"

namespace hotline::model {

/// The parameters of a model with their defaults, found by building one on a scratch machine of one
/// core: defaults that depend on the machine or the threads say so in their description.
std::vector<ParamSpec> describe(const Entry& entry);

}  // namespace hotline::model
