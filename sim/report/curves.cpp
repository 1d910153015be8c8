#include "sim/report/curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/report/svg.hpp"

namespace hotline::report {

namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 380;
constexpr double kLeft = 70;
constexpr double kRight = 190;  // for the names
constexpr double kTop = 36;
constexpr double kBottom = 44;
constexpr std::size_t kInOne = 8;

/// Told apart with and without colour vision (Okabe, Ito, 2008), darkest first.
constexpr std::array<const char*, kInOne> kColours{"#000000", "#0072b2", "#d55e00", "#009e73",
                                                   "#cc79a7", "#56b4e9", "#e69f00", "#888888"};

/// A logarithmic axis.
class Axis {
 public:
  Axis(double from, double to) : from_(from), to_(to) {}

  void include(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  /// Leaves some room around what was included.
  void widen(double factor) {
    if (least_ > most_) least_ = most_ = 1;
    least_ /= factor;
    most_ *= factor;
  }
  [[nodiscard]] double at(double value) const {
    const double share = std::log(value / least_) / std::log(most_ / least_);
    return from_ + (to_ - from_) * share;
  }
  /// Powers of ten times 1, 2 and 5, or fewer of them if the axis is long.
  [[nodiscard]] std::vector<double> ticks() const {
    const bool is_long = most_ / least_ > 2000;
    std::vector<double> ticks;
    for (double power = std::pow(10, std::floor(std::log10(least_))); power <= most_; power *= 10) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double tick = power * factor;
        if ((is_long && factor > 1) || tick < least_ || tick > most_) continue;
        ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  double from_;
  double to_;
  double least_ = std::numeric_limits<double>::max();
  double most_ = 0;
};

std::string tick_text(double tick) {
  if (tick >= 1e9) return fmt::format("{:g}G", tick / 1e9);
  if (tick >= 1e6) return fmt::format("{:g}M", tick / 1e6);
  if (tick >= 1e4) return fmt::format("{:g}k", tick / 1e3);
  return fmt::format("{:g}", tick);
}

/// One frame with up to eight pairs.
class Frame {
 public:
  Frame(const CurvesPlot& plot, std::size_t first, double top)
      : plot_(plot),
        first_(first),
        last_(std::min(first + kInOne, plot.curves.size())),
        top_(top),
        x_(kLeft, kWidth - kRight),
        y_(top + kHeight - kBottom, top + kTop) {
    for (std::size_t i = first_; i < last_; ++i) {
      const CurvePair& curve = plot.curves[i];
      for (const double value : curve.x) x_.include(value);
      for (const double value : curve.measured) y_.include(value);
      for (const double value : curve.simulated) y_.include(value);
    }
    x_.widen(1.05);
    y_.widen(1.15);
  }

  [[nodiscard]] std::string draw() const {
    std::string text = axes();
    for (std::size_t i = first_; i < last_; ++i) text += pair(plot_.curves[i], i - first_);
    return text;
  }

 private:
  [[nodiscard]] std::string axes() const {
    const double bottom = top_ + kHeight - kBottom;
    const double right = kWidth - kRight;
    std::string text;
    for (const double tick : y_.ticks()) {
      const double y = y_.at(tick);
      text +=
          fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#dddddd\"/>\n", kLeft, y, right);
      text += svg::label(kLeft - 6, y + 4, "end", tick_text(tick));
    }
    for (const double tick : x_.ticks()) {
      const double x = x_.at(tick);
      text += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#dddddd\"/>\n", x,
                          top_ + kTop, bottom);
      text += svg::label(x, bottom + 16, "middle", tick_text(tick));
    }
    text += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" stroke=\"#000000\" "
        "fill=\"none\"/>\n",
        kLeft, top_ + kTop, bottom, right);
    text += svg::label((kLeft + right) / 2, bottom + 34, "middle", plot_.x_label);
    return text + svg::label(kLeft, top_ + kTop - 8, "start", plot_.y_label);
  }

  [[nodiscard]] std::string line(const CurvePair& curve, const std::vector<double>& values,
                                 const char* style) const {
    std::string path;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!(values[i] > 0)) continue;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.at(curve.x[i]),
                          y_.at(values[i]));
    }
    return fmt::format("<path d=\"{}\" fill=\"none\" {}/>\n", path, style);
  }

  [[nodiscard]] std::string pair(const CurvePair& curve, std::size_t number) const {
    const std::string colour = kColours[number];
    std::string text = fmt::format("<g stroke=\"{}\" stroke-width=\"1.6\">\n", colour);
    text += line(curve, curve.measured, "stroke-dasharray=\"5 4\"");
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!(curve.measured[i] > 0)) continue;
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#ffffff\"/>\n",
                          x_.at(curve.x[i]), y_.at(curve.measured[i]));
    }
    text += line(curve, curve.simulated, "") + "</g>\n";
    const double y = top_ + kTop + 10 + 18 * static_cast<double>(number);
    const double x = kWidth - kRight + 12;
    text += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"3\"/>\n", x, y,
                        colour);
    return text + svg::label(x + 24, y + 4, "start", curve.name);
  }

  const CurvesPlot& plot_;
  std::size_t first_;
  std::size_t last_;
  double top_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string curves_svg(const CurvesPlot& plot) {
  constexpr double kTitle = 26;
  const std::size_t frames = std::max<std::size_t>(1, (plot.curves.size() + kInOne - 1) / kInOne);
  std::string text = svg::begin(kWidth, kTitle + kHeight * static_cast<double>(frames));
  text += svg::label(kLeft, 20, "start", plot.title + " (dashed: measured, solid: simulated)");
  for (std::size_t i = 0; i < frames; ++i) {
    text += Frame(plot, i * kInOne, kTitle + kHeight * static_cast<double>(i)).draw();
  }
  return text + "</svg>\n";
}

}  // namespace hotline::report
