#pragma once

#include <string>
#include <vector>

#include "sim/input/diagnostics.hpp"

namespace hotline::input {

/// Where a figure comes from: measured or published (`source`), or inferred within a range.
struct Origin {
  std::string source;
  bool inferred = false;
  std::string range;  ///< "3ns to 12ns", "within 30%", or empty

  /// Somebody can check it: it has a source, or says that it is inferred and how far it may be off.
  bool is_stated() const { return inferred ? !range.empty() : !source.empty(); }
};

/// One figure of a machine file, as read.
struct Figure {
  Place place;
  std::string text;  ///< the value as the file spells it
  Origin origin;
};

/// Every figure read, in the order of reading.
using Figures = std::vector<Figure>;

}  // namespace hotline::input
