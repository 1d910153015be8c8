#include "sim/report/chart.hpp"

#include <algorithm>
#include <array>
#include <cairo.h>
#include <cmath>
#include <memory>

#include <cairo-svg.h>
#include <fmt/format.h>

#include "sim/report/whole_file.hpp"

namespace hotline::report {

namespace {

constexpr double kWidth = 860;
constexpr double kHeight = 480;
constexpr double kLeft = 80;
constexpr double kTop = 44;
constexpr double kBottom = 56;
constexpr double kFontSize = 12;
constexpr double kLegendRow = 18;
constexpr double kPngScale = 2;  // for screens with many dots an inch

struct Colour {
  double red, green, blue;
};

/// Told apart by people with any kind of colour vision: M. Okabe, K. Ito, "Color Universal Design"
/// (2008), without its yellow, which is too light for a line.
constexpr std::array<Colour, 7> kColours{{{0.00, 0.45, 0.70},
                                          {0.84, 0.37, 0.00},
                                          {0.00, 0.62, 0.45},
                                          {0.80, 0.47, 0.65},
                                          {0.90, 0.62, 0.00},
                                          {0.34, 0.71, 0.91},
                                          {0.00, 0.00, 0.00}}};

struct Span {
  double low = 0;
  double high = 1;
};

/// 1, 2 or 5 times a power of ten, so that about `steps` of it cover the length.
double round_step(double length, double steps) {
  const double raw = length / steps;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) return factor * power;
  }
  return 10 * power;
}

/// "2.5 M".
std::string mark_text(double value) {
  constexpr std::array<const char*, 5> kPrefixes{"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  for (; value >= 1000 && prefix + 1 < kPrefixes.size(); value /= 1000) ++prefix;
  return fmt::format("{:g}{}", value, kPrefixes[prefix]);
}

Span x_span(const Chart& chart) {
  Span span{HUGE_VAL, -HUGE_VAL};
  for (const Curve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) {
      span = {std::min(span.low, point.x), std::max(span.high, point.x)};
    }
  }
  if (span.low > span.high) return {0, 1};
  if (span.low == span.high) return {span.low * 0.9, span.high * 1.1 + (span.high == 0 ? 1 : 0)};
  return span;
}

double y_top(const Chart& chart) {
  double top = 0;
  for (const Curve& curve : chart.curves) {
    for (const ChartPoint& point : curve.points) top = std::max({top, point.mean, point.high});
  }
  return top > 0 ? top * 1.05 : 1;
}

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// One picture while it is drawn.
class Canvas {
 public:
  Canvas(cairo_t* cairo, const Chart& chart)
      : cairo_(cairo), chart_(chart), x_(x_span(chart)), top_(y_top(chart)) {
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, kFontSize);
    double widest = 0;
    for (const Curve& curve : chart.curves) widest = std::max(widest, width(curve.name));
    right_ = kWidth - (chart.curves.size() > 1 ? widest + 56 : 24);
  }

  void draw() {
    set({1, 1, 1});
    cairo_paint(cairo_);
    draw_frame();
    draw_x_axis();
    draw_y_axis();
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) draw_band(chart_.curves[i], i);
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) draw_curve(chart_.curves[i], i);
    if (chart_.curves.size() > 1) draw_legend();
  }

 private:
  [[nodiscard]] double width(const std::string& text) const {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
  }
  [[nodiscard]] double along(double value) const {
    return chart_.doubles ? std::log2(value) : value;
  }
  [[nodiscard]] double at_x(double value) const {
    const double part = (along(value) - along(x_.low)) / (along(x_.high) - along(x_.low));
    return kLeft + 10 + part * (right_ - kLeft - 20);
  }
  [[nodiscard]] double at_y(double value) const {
    return kHeight - kBottom - value / top_ * (kHeight - kBottom - kTop);
  }

  void set(Colour colour, double opacity = 1) {
    cairo_set_source_rgba(cairo_, colour.red, colour.green, colour.blue, opacity);
  }
  void line(double x1, double y1, double x2, double y2) {
    cairo_move_to(cairo_, x1, y1);
    cairo_line_to(cairo_, x2, y2);
    cairo_stroke(cairo_);
  }
  /// `anchor`: 0 begins at x, 1 ends there.
  void text(const std::string& words, double x, double y, double anchor) {
    cairo_move_to(cairo_, x - anchor * width(words), y);
    cairo_show_text(cairo_, words.c_str());
  }

  void draw_frame() {
    set({0.15, 0.15, 0.15});
    cairo_set_font_size(cairo_, kFontSize + 2);
    text(chart_.title, kLeft, kTop - 18, 0);
    cairo_set_font_size(cairo_, kFontSize);
    text(chart_.x_title, (kLeft + right_) / 2, kHeight - 14, 0.5);
    cairo_save(cairo_);
    cairo_translate(cairo_, 20, (kTop + kHeight - kBottom) / 2);
    cairo_rotate(cairo_, -M_PI / 2);
    text(chart_.y_title, 0, 0, 0.5);
    cairo_restore(cairo_);
    cairo_set_line_width(cairo_, 1);
    line(kLeft, kHeight - kBottom, right_, kHeight - kBottom);
    line(kLeft, kTop, kLeft, kHeight - kBottom);
  }

  /// Labels that would run into one another are left out.
  void draw_x_axis() {
    set({0.15, 0.15, 0.15});
    double free_from = 0;
    for (const double value : x_marks()) {
      const std::string words = fmt::format("{:g}", value);
      const double x = at_x(value);
      line(x, kHeight - kBottom, x, kHeight - kBottom + 4);
      if (x - width(words) / 2 < free_from) continue;
      text(words, x, kHeight - kBottom + 18, 0.5);
      free_from = x + width(words) / 2 + 8;
    }
  }

  [[nodiscard]] std::vector<double> x_marks() const {
    std::vector<double> marks;
    if (chart_.doubles) {  // the values themselves
      for (const Curve& curve : chart_.curves) {
        for (const ChartPoint& point : curve.points) marks.push_back(point.x);
      }
      std::sort(marks.begin(), marks.end());
      marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
      return marks;
    }
    const double step = round_step(x_.high - x_.low, 8);
    for (double at = std::ceil(x_.low / step); at * step <= x_.high * (1 + 1e-9); ++at) {
      marks.push_back(at * step);
    }
    return marks;
  }

  void draw_y_axis() {
    const double step = round_step(top_, 6);
    for (double at = 0; at * step <= top_; ++at) {
      const double y = at_y(at * step);
      set({0.88, 0.88, 0.88});
      if (at > 0) line(kLeft, y, right_, y);
      set({0.15, 0.15, 0.15});
      text(mark_text(at * step), kLeft - 6, y + 4, 1);
    }
  }

  [[nodiscard]] static Colour colour_of(std::size_t index) {
    return kColours[index % kColours.size()];
  }
  /// Beyond the colours there are dashes.
  void set_stroke(std::size_t index) {
    set(colour_of(index));
    const std::size_t round = index / kColours.size();
    const std::array<double, 2> dash{6, 2 + 2 * static_cast<double>(round)};
    const bool dashed = round > 0;
    cairo_set_dash(cairo_, dash.data(), dashed ? 2 : 0, 0);
    cairo_set_line_width(cairo_, 1.8);
  }

  void draw_band(const Curve& curve, std::size_t index) {
    if (curve.points.empty()) return;
    cairo_new_path(cairo_);  // showing text leaves a point behind
    for (const ChartPoint& point : curve.points) {
      cairo_line_to(cairo_, at_x(point.x), at_y(point.high));
    }
    for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
      cairo_line_to(cairo_, at_x(point->x), at_y(std::max(point->low, 0.0)));
    }
    cairo_close_path(cairo_);
    set(colour_of(index), 0.22);
    cairo_fill(cairo_);
  }

  void draw_curve(const Curve& curve, std::size_t index) {
    set_stroke(index);
    cairo_new_path(cairo_);
    for (const ChartPoint& point : curve.points) {
      cairo_line_to(cairo_, at_x(point.x), at_y(point.mean));
    }
    cairo_stroke(cairo_);
    cairo_set_dash(cairo_, nullptr, 0, 0);
    for (const ChartPoint& point : curve.points) {
      cairo_arc(cairo_, at_x(point.x), at_y(point.mean), 2.6, 0, 2 * M_PI);
      cairo_fill(cairo_);
    }
  }

  void draw_legend() {
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      const double y = kTop + 8 + static_cast<double>(i) * kLegendRow;
      set_stroke(i);
      line(right_ + 14, y, right_ + 36, y);
      cairo_set_dash(cairo_, nullptr, 0, 0);
      set({0.15, 0.15, 0.15});
      text(chart_.curves[i].name, right_ + 42, y + 4, 0);
    }
  }

  cairo_t* cairo_;
  const Chart& chart_;
  Span x_;
  double top_;
  double right_ = kWidth;
};

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw OutputError(std::string("cannot draw: ") + cairo_status_to_string(status));
  }
}

void draw_on(cairo_surface_t* surface, const Chart& chart, double scale) {
  const Context cairo(cairo_create(surface), cairo_destroy);
  cairo_scale(cairo.get(), scale, scale);
  Canvas(cairo.get(), chart).draw();
  check(cairo_status(cairo.get()));
}

/// A long legend needs a tall picture.
double height_of(const Chart& chart) {
  return std::max(kHeight, kTop + kLegendRow * static_cast<double>(chart.curves.size() + 1));
}

}  // namespace

std::string draw(const Chart& chart, Picture kind) {
  std::string bytes;
  if (kind == Picture::kSvg) {
    const Surface surface(
        cairo_svg_surface_create_for_stream(append_bytes, &bytes, kWidth, height_of(chart)),
        cairo_surface_destroy);
    draw_on(surface.get(), chart, 1);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
    return bytes;
  }
  const Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kWidth * kPngScale),
                                 static_cast<int>(height_of(chart) * kPngScale)),
      cairo_surface_destroy);
  draw_on(surface.get(), chart, kPngScale);
  check(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes));
  return bytes;
}

}  // namespace hotline::report
