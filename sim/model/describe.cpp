#include "sim/model/describe.hpp"

#include "sim/engine/simulator.hpp"
#include "sim/machine/description.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"

namespace hotline::model {

namespace {

machine::Description one_core() {
  machine::Description description;
  description.name = "scratch";
  description.core.clock = {{1, 1000}};
  return description;
}

}  // namespace

std::vector<ParamSpec> describe(const Entry& entry) {
  const machine::Topology topology(one_core());
  engine::Simulator simulator;
  machine::Machine machine(simulator, topology);
  Site site(machine, {std::string(entry.name), {0}, std::nullopt, {{0}}, nullptr});
  ParamReader params;
  const auto model = entry.make(site, params);
  return params.declared();
}

}  // namespace hotline::model
