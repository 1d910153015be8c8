#include "sim/workload/scenario.hpp"

namespace hotline::workload {

bool is_part(const Reference& reference, const Scenario& scenario) {
  const ObjectSpec& object = scenario.objects[reference.object];
  if (reference.field == kNone) return object.model.has_value();
  return object.fields[reference.field].model.has_value();
}

}  // namespace hotline::workload
