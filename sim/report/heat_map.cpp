#include "sim/report/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/svg.hpp"

namespace hotline::report {

using engine::Duration;

namespace {

constexpr double kPicture = 720;  // side of the matrix
constexpr double kMargin = 70;
constexpr double kLegend = 110;
constexpr int kLegendSteps = 60;
constexpr int kColourSteps = 64;

struct Colour {
  double red, green, blue;
};

/// Dark blue to yellow, equally bright steps for readers with and without colour vision; the five
/// colours are those of the public-domain map "viridis" (Smith, van der Walt, 2015) at its
/// quarters.
constexpr std::array<Colour, 5> kColours{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

std::string colour_at(double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * (kColours.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kColours.size() - 2);
  const double rest = place - static_cast<double>(below);
  const Colour& a = kColours[below];
  const Colour& b = kColours[below + 1];
  const auto mix = [&](double from, double to) {
    return static_cast<int>(std::lround(from + (to - from) * rest));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green),
                     mix(a.blue, b.blue));
}

/// The scale of the colours: where a duration lies between the shortest and the longest.
class Scale {
 public:
  explicit Scale(const TransferMatrix& matrix) {
    for (std::size_t from = 0; from < matrix.cells.size(); ++from) {
      for (std::size_t to = 0; to < matrix.cells[from].size(); ++to) {
        if (from == to) continue;
        least_ = std::min(least_, matrix.cells[from][to]);
        most_ = std::max(most_, matrix.cells[from][to]);
      }
    }
    least_ = std::min(least_, most_);
  }

  [[nodiscard]] double fraction(Duration value) const {
    if (most_ <= least_ || least_ == Duration()) return 0;
    return std::log(value.ns() / least_.ns()) / std::log(most_.ns() / least_.ns());
  }
  [[nodiscard]] Duration at(double fraction) const {
    if (least_ == Duration()) return least_;
    return Duration::from_ns(least_.ns() * std::pow(most_.ns() / least_.ns(), fraction));
  }

 private:
  Duration least_ = Duration::max();
  Duration most_;
};

/// All cells on a grid of side one: one path a colour, made of runs of neighbours in a row.
std::string cells_svg(const TransferMatrix& matrix, const Scale& scale) {
  std::map<long, std::string> by_colour;
  for (std::size_t from = 0; from < matrix.cells.size(); ++from) {
    const auto& row = matrix.cells[from];
    const auto step = [&](std::size_t to) {
      return to == from ? -1L : std::lround(scale.fraction(row[to]) * kColourSteps);
    };
    for (std::size_t to = 0; to < row.size();) {
      std::size_t end = to + 1;
      while (end < row.size() && step(end) == step(to)) ++end;
      if (to != from) {
        by_colour[step(to)] += fmt::format("M{} {}h{}v1h-{}z", to, from, end - to, end - to);
      }
      to = end;
    }
  }
  std::string picture;
  for (const auto& [step, path] : by_colour) {
    picture += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n",
                           colour_at(static_cast<double>(step) / kColourSteps), path);
  }
  return picture;
}

/// At most sixteen labels along each side.
std::string labels_svg(const TransferMatrix& matrix, double side) {
  const std::size_t step = std::max<std::size_t>(1, (matrix.labels.size() + 15) / 16);
  std::string picture;
  for (std::size_t i = 0; i < matrix.labels.size(); i += step) {
    const double middle = kMargin + side * (static_cast<double>(i) + 0.5);
    picture += svg::label(middle, kMargin - 8, "middle", matrix.labels[i]);
    picture += svg::label(kMargin - 8, middle + 4, "end", matrix.labels[i]);
  }
  picture += svg::label(kMargin + kPicture / 2, kMargin - 26, "middle", "to core");
  picture += svg::label(kMargin - 8, kMargin - 26, "end", "from core");
  return picture;
}

std::string boundaries_svg(const TransferMatrix& matrix, double side) {
  std::string picture;
  for (const std::size_t row : matrix.boundaries) {
    const double at = kMargin + side * static_cast<double>(row);
    picture += fmt::format(R"(<path d="M{0:.2f} {1:.2f}V{2:.2f}M{1:.2f} {0:.2f}H{2:.2f}" )"
                           "stroke=\"#ffffff\" stroke-width=\"1\"/>\n",
                           at, kMargin, kMargin + kPicture);
  }
  return picture;
}

std::string legend_svg(const Scale& scale) {
  const double x = kMargin + kPicture + 20;
  const double step = kPicture / kLegendSteps;
  std::string picture;
  for (int i = 0; i < kLegendSteps; ++i) {
    const double fraction = 1 - (i + 0.5) / kLegendSteps;
    picture += fmt::format(R"(<rect x="{:.1f}" y="{:.2f}" width="18" height="{:.2f}" fill="{}"/>)",
                           x, kMargin + step * i, step + 0.5, colour_at(fraction));
    picture += '\n';
  }
  for (const double fraction : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    picture += svg::label(x + 24, kMargin + kPicture * (1 - fraction) + 4, "start",
                          duration_text(scale.at(fraction)));
  }
  return picture;
}

}  // namespace

std::string heat_map_svg(const TransferMatrix& matrix) {
  const Scale scale(matrix);
  const double side = kPicture / static_cast<double>(std::max<std::size_t>(matrix.cells.size(), 1));
  const double width = kMargin + kPicture + kLegend;
  const double height = kMargin + kPicture + 20;
  std::string picture = svg::begin(width, height);
  picture += svg::label(kMargin + kPicture / 2, 24, "middle", matrix.title);
  picture += fmt::format(
      "<g shape-rendering=\"crispEdges\" transform=\"translate({0} {0}) scale({1:.6g})\">\n",
      kMargin, side);
  picture += cells_svg(matrix, scale) + "</g>\n" + boundaries_svg(matrix, side);
  picture += labels_svg(matrix, side) + legend_svg(scale);
  return picture + "</svg>\n";
}

}  // namespace hotline::report
