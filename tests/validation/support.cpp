#include "tests/validation/support.hpp"

#include <fstream>
#include <sstream>

#include "sim/machine/reader.hpp"
#include "tests/catch.hpp"

namespace hotline::tests {

std::vector<Row> rows_of(const std::string& file) {
  std::ifstream stream("tests/validation/data/" + file);
  std::vector<Row> rows;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    Row& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  REQUIRE(rows.size() > 1);
  rows.erase(rows.begin());
  return rows;
}

machine::Topology topology_of(const std::string& name) {
  input::Diagnostics diagnostics;
  const machine::MachineFile file = machine::read_machine(name, {}, {"configs"}, diagnostics);
  REQUIRE(diagnostics.text() == "");
  return machine::Topology(file.description);
}

}  // namespace hotline::tests
