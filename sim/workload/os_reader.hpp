#pragma once

#include "sim/input/reader.hpp"
#include "sim/os/parameters.hpp"

namespace hotline::workload {

/// Reads the `os` section: what differs from os::linux_defaults().
os::Parameters read_os(input::MapReader& map);

}  // namespace hotline::workload
