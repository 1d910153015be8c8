#include "sim/report/profile.hpp"

#include <sstream>

#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using hotline::measure::Measurement;
using hotline::tests::contains_text;
using hotline::tests::ns;

namespace {

/// Works, waits, stalls; asleep for 1 ms in all, which no profiler sees.
Measurement stacks() {
  Measurement measurement;
  measurement.stacks = std::vector<hotline::measure::StackEntry>{
      {{"bstat"}, {ns(50'000)}},
      {{"bstat", "add"}, {ns(100'000), ns(0), ns(0), ns(0), ns(1'000'000)}},
      {{"bstat", "add", "spin_lock"}, {ns(10'000), ns(290'000)}},
      {{"bstat", "iput", "evict", "spin_lock"}, {ns(0), ns(500'000)}},
      {{"bstat", "iput", "evict"}, {ns(0), ns(0), ns(50'000)}},
  };
  return measurement;
}

}  // namespace

TEST_CASE("a profile has functions by self time and below them their callers, outward") {
  const std::string text = hotline::report::profile_text(stacks(), 0.5);
  CHECK_THAT(text, contains_text("    80.00%  bstat    spin_lock\n"
                                 "            |\n"
                                 "            ---spin_lock\n"
                                 "               |\n"
                                 "               |--62.50%--evict\n"
                                 "               |          iput\n"
                                 "               |\n"
                                 "               |--37.50%--add\n"));
  CHECK_THAT(text, contains_text("    10.00%  bstat    add\n"));
  CHECK_THAT(text, contains_text("     5.00%  bstat    (bstat's own steps)\n"));
}

TEST_CASE("folded stacks add up to all the time of all threads") {
  const Measurement measurement = stacks();
  const std::string text = hotline::report::folded_text(measurement);
  CHECK_THAT(text, contains_text("bstat;iput;evict;spin_lock;[lock_wait] 500000\n"));
  CHECK_THAT(text, contains_text("bstat;add;[other] 1000000\n"));
  std::istringstream lines(text);
  std::uint64_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    sum += std::stoull(line.substr(line.rfind(' ') + 1));
  }
  CHECK(sum == 2'000'000);
}
