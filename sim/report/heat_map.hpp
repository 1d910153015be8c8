#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/engine/time.hpp"

namespace hotline::report {

/// What a transfer costs from each row's core to each column's; the diagonal is not drawn.
struct TransferMatrix {
  std::string title;
  std::vector<std::string> labels;                   ///< of the cores drawn; as many as rows
  std::vector<std::vector<engine::Duration>> cells;  ///< [from][to]
  std::vector<std::size_t> boundaries;               ///< rows at which a new socket begins
};

/// A heat map as one self-contained SVG: logarithmic colours, a legend in nanoseconds, lines
/// between sockets.
[[nodiscard]] std::string heat_map_svg(const TransferMatrix& matrix);

}  // namespace hotline::report
