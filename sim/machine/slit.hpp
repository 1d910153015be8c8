#pragma once

#include "sim/input/reader.hpp"
#include "sim/machine/description.hpp"

namespace hotline::machine {

/// Reads a distance table as firmware (ACPI's SLIT) and `numactl --hardware` give it: 10 is a
/// node's own memory, 21 is 2.1 times as far. With the latency of local memory that makes the
/// routes: going to a node and back takes what its memory takes longer than the local one.
///
/// The table is kept as it is: directions may differ, and where a way over a third node would be
/// shorter than what the table says, the table holds (and a warning names the three nodes).
void read_slit(input::MapReader& map, Description& machine);

}  // namespace hotline::machine
