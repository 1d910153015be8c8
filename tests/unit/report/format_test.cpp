#include "sim/report/format.hpp"

#include "tests/catch.hpp"

using namespace hotline::report;
using hotline::engine::Duration;
using hotline::measure::Value;

TEST_CASE("durations are shown with the unit that fits") {
  CHECK(duration_text(Duration()) == "0ns");
  CHECK(duration_text(Duration::from_ps(499)) == "0.5ns");
  CHECK(duration_text(Duration::from_ps(47'000)) == "47ns");
  CHECK(duration_text(Duration::from_ps(2'900'000)) == "2.9us");
  CHECK(duration_text(Duration::from_ps(146'000'000)) == "146us");
  CHECK(duration_text(Duration::from_ps(999'600)) == "1.0us");
  CHECK(duration_text(Duration::from_ps(74'640'000'000)) == "75ms");
}

TEST_CASE("rates are shown with four digits and a prefix") {
  CHECK(si_text(0) == "0.000");
  CHECK(si_text(12.0) == "12.00");
  CHECK(si_text(1'234'567) == "1.235 M");
  CHECK(si_text(987'654) == "987.7 k");
  CHECK(si_text(999'990) == "1.000 M");
  CHECK(rate_text({2'000'000, 1'990'000, 2'010'000, 5}) == "2.000 M +- 0.5%");
  CHECK(rate_text({2'000'000, 2'000'000, 2'000'000, 1}) == "2.000 M");
}

TEST_CASE("percentages keep a trace of what is small") {
  CHECK(percent_text(0) == "0%");
  CHECK(percent_text(0.012) == "0.01%");
  CHECK(percent_text(20.74) == "20.7%");
  CHECK(percent_text(1762.2) == "1762%");
}

TEST_CASE("counts have separators") {
  CHECK(count_text(7) == "7");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(31'590'840) == "31,590,840");
}

TEST_CASE("exact values keep every picosecond and no rounding noise") {
  CHECK(exact_text(Value(Duration::from_ps(1))) == "0.001");
  CHECK(exact_text(Value(Duration::from_ps(123'456'789'012'345))) == "123456789012.345");
  CHECK(exact_text(Value(Duration::from_ps(2'500))) == "2.5");
  CHECK(exact_text(Value(0.1 + 0.2)) == "0.3");
  CHECK(exact_text(Value(std::uint64_t{18'446'744'073'709'551'615U})) == "18446744073709551615");
  CHECK(exact_text(Value()).empty());
}

TEST_CASE("a text that is too long ends in dots") {
  CHECK(cut("abcdef", 6) == "abcdef");
  CHECK(cut("abcdefg", 6) == "abc...");
}

TEST_CASE("names with a common beginning say it once") {
  CHECK(compact_names("ns.msg_bytes, ns.msg_hdrs") == "ns.{msg_bytes, msg_hdrs}");
  CHECK(compact_names("a.x, b.y, a.z") == "a.{x, z}, b.y");
  CHECK(compact_names("plain, other") == "plain, other");
  CHECK(compact_names("one.field") == "one.field");
  CHECK(compact_names("").empty());
}
