#include "sim/report/heat_map.hpp"

#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using hotline::report::heat_map_svg;
using hotline::report::TransferMatrix;
using hotline::tests::contains_text;
using hotline::tests::ns;

namespace {

TransferMatrix two_sockets() {
  TransferMatrix matrix;
  matrix.title = "a <machine> & its matrix";
  for (std::size_t from = 0; from < 4; ++from) {
    matrix.labels.push_back(std::to_string(from));
    matrix.cells.emplace_back();
    for (std::size_t to = 0; to < 4; ++to) {
      matrix.cells.back().push_back(from / 2 == to / 2 ? ns(50) : ns(150));
    }
  }
  matrix.boundaries = {2};
  return matrix;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("the heat map is one self-contained SVG with a legend") {
  const std::string svg = heat_map_svg(two_sockets());
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK_THAT(svg, contains_text("a &lt;machine&gt; &amp; its matrix"));
  CHECK_THAT(svg, contains_text(">50ns</text>"));
  CHECK_THAT(svg, contains_text(">150ns</text>"));
}

TEST_CASE("near transfers have the scale's first colour and far ones its last") {
  const std::string svg = heat_map_svg(two_sockets());
  // Each row has one near neighbour and one run of two far cells.
  CHECK(count(svg, "height=\"180.00\" fill=\"#440154\"") == 4);
  CHECK(count(svg, "width=\"360.00\" height=\"180.00\" fill=\"#fde725\"") == 4);
}

TEST_CASE("a matrix of one length or of one core can be drawn") {
  TransferMatrix matrix = two_sockets();
  for (auto& row : matrix.cells) row.assign(4, ns(50));
  CHECK_THAT(heat_map_svg(matrix), contains_text("#440154"));
  matrix.cells = {{ns(0)}};
  matrix.labels = {"0"};
  matrix.boundaries = {};
  CHECK_THAT(heat_map_svg(matrix), contains_text("</svg>"));
}
