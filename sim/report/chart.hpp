#pragma once

#include <string>
#include <vector>

namespace hotline::report {

/// A measured or simulated value with its interval.
struct ChartPoint {
  double x = 0;
  double mean = 0;
  double low = 0;
  double high = 0;
};

struct Curve {
  std::string name;
  std::vector<ChartPoint> points;  ///< by rising x
};

/// Curves over one axis, each with the band of its intervals.
struct Chart {
  std::string title;
  std::string x_title;
  std::string y_title;
  bool doubles = false;  ///< equal distances on the x axis are equal factors
  std::vector<Curve> curves;
};

enum class Picture { kSvg, kPng };

/// The bytes of the picture's file; both kinds come from the same strokes. Text is drawn with the
/// host's fonts, so bytes differ between hosts.
[[nodiscard]] std::string draw(const Chart& chart, Picture kind);

}  // namespace hotline::report
