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
  CHECK_THAT(svg, contains_text("<path fill=\"#440154\" d=\"M1 0h1v1h-1zM0 1h1v1h-1z"
                                "M3 2h1v1h-1zM2 3h1v1h-1z\"/>"));
  CHECK_THAT(svg, contains_text("<path fill=\"#fde725\" d=\"M2 0h2v1h-2zM2 1h2v1h-2z"
                                "M0 2h2v1h-2zM0 3h2v1h-2z\"/>"));
}

TEST_CASE("a matrix of one length or of one core can be drawn") {
  TransferMatrix matrix = two_sockets();
  for (auto& row : matrix.cells) row.assign(4, ns(50));
  CHECK_THAT(heat_map_svg(matrix), contains_text("#440154"));
  CHECK_THAT(heat_map_svg(matrix), contains_text("M1 0h3v1h-3z"));
  matrix.cells = {{ns(0)}};
  matrix.labels = {"0"};
  matrix.boundaries = {};
  CHECK_THAT(heat_map_svg(matrix), contains_text("</svg>"));
}
