#pragma once

#include "sim/input/reader.hpp"
#include "sim/machine/description.hpp"

/// The language of machine files: each function reads one block, and so defines it.
namespace hotline::machine {

// Bounds of a machine: what the engine's identifiers and the routes' tables hold with room.
inline constexpr std::uint32_t kMostNodes = 256;
inline constexpr std::uint32_t kMostCores = 65'536;

/// Reads everything but the keys that resolve() has dealt with; the checks that span several keys
/// included.
void read_description(input::MapReader& map, Description& description);

/// Reads the block `interconnect`; the counts of the description are known.
void read_interconnect(input::MapReader& map, Description& description);

/// A leg: at most a second one way, so that sums stay far from the end of time.
Duration longest_leg();

}  // namespace hotline::machine
