#include "sim/report/chart.hpp"

#include "tests/catch.hpp"

using hotline::report::Chart;
using hotline::report::draw;
using hotline::report::Picture;

namespace {

Chart chart(std::size_t curves) {
  Chart result{"title", "threads", "rounds per second", true, {}};
  for (std::size_t i = 0; i < curves; ++i) {
    const double rate = 1000.0 * static_cast<double>(i + 1);
    result.curves.push_back({"curve " + std::to_string(i),
                             {{1, rate, rate, rate}, {64, rate * 9, rate * 8, rate * 10}}});
  }
  return result;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("both kinds of picture are drawn, the same each time") {
  const std::string svg = draw(chart(2), Picture::kSvg);
  CHECK(svg.starts_with("<?xml"));
  CHECK(svg.find("</svg>") != std::string::npos);
  const std::string png = draw(chart(2), Picture::kPng);
  CHECK(png.starts_with("\x89PNG"));
  CHECK(draw(chart(2), Picture::kPng) == png);
}

TEST_CASE("each curve has a band, which is translucent") {
  CHECK(count(draw(chart(3), Picture::kSvg), "fill-opacity:0.22") +
            count(draw(chart(3), Picture::kSvg), "fill-opacity=\"0.22\"") ==
        3);
}

TEST_CASE("charts without points, with one, and with more curves than colours are drawn too") {
  CHECK_FALSE(draw({}, Picture::kSvg).empty());
  Chart one = chart(1);
  one.curves[0].points.resize(1);
  CHECK_FALSE(draw(one, Picture::kSvg).empty());
  CHECK(count(draw(chart(20), Picture::kSvg), "fill-opacity") >= 20);
}
