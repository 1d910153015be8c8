#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hotline::report {

/// A curve that was measured and the one that was simulated, over the same x.
struct CurvePair {
  std::string name;
  std::vector<double> x;  ///< rising
  std::vector<double> measured;
  std::vector<double> simulated;
};

struct CurvesPlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<CurvePair> curves;
};

/// An SVG picture on logarithmic axes: measured curves dashed with open dots, simulated ones drawn
/// through, pairs in the same colour. Values that are not above 0 are left out. Shows eight pairs
/// to a picture and the others in pictures below it.
[[nodiscard]] std::string curves_svg(const CurvesPlot& plot);

}  // namespace hotline::report
