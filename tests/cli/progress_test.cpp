#include <string>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::run_hotline_on_terminal;

TEST_CASE("a long run on a terminal shows how far it is and wipes the line at the end", "[slow]") {
  const Finished finished = run_hotline_on_terminal(
      {"run", "tests/cli/tiny.yaml", "--set", "measure.duration=100ms", "--replications", "4"});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.err, contains_text("run tiny: "));
  CHECK_THAT(finished.err, contains_text(" of 4 simulations"));
  CHECK(finished.err.ends_with("\r\x1b[K"));
}
