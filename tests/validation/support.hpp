#pragma once

#include <string>
#include <vector>

#include "sim/machine/topology.hpp"

namespace hotline::tests {

/// The cells of one line.
using Row = std::vector<std::string>;

/// The rows of a comma-separated file in tests/validation/data, after its comment and its heading.
std::vector<Row> rows_of(const std::string& file);

/// A shipped machine; fails the test if its file has faults.
machine::Topology topology_of(const std::string& name);

}  // namespace hotline::tests
