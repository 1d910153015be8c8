#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "tests/model/rig.hpp"

namespace hotline::tests {

/// A model with those parameters that make it another algorithm.
struct Case {
  std::string_view model;
  model::ParamValues params = {};
};

/// Every model with its defaults, and those parameters that change the algorithm.
std::vector<Case> cases();

struct Shape {
  const char* name;
  machine::Description machine;
};

/// Machines that differ in who serialises what.
std::vector<Shape> shapes();

/// Calls `check` for every case that `wanted` accepts, on every shape of machine, with a thread on
/// each of its CPUs, under several orders of simultaneous events.
void for_all(const std::function<bool(const model::Entry&)>& wanted,
             const std::function<void(const Rig::Setup&)>& check);

}  // namespace hotline::tests
