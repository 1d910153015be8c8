#include "sim/input/quantity.hpp"

#include "sim/input/suggest.hpp"
#include "tests/catch.hpp"

namespace hotline::input {
namespace {

std::uint64_t ps(std::string_view text) { return parse_duration(text).value.value().ps(); }

TEST_CASE("durations are whole picoseconds, whatever their unit") {
  CHECK(ps("350ps") == 350);
  CHECK(ps("47ns") == 47'000);
  CHECK(ps("1.5us") == 1'500'000);
  CHECK(ps("4ms") == 4'000'000'000);
  CHECK(ps("2s") == 2'000'000'000'000);
  CHECK(ps("0ns") == 0);
  CHECK(ps("4.8257ns") == 4826);
  CHECK(ps("0.0004ns") == 0);
  CHECK(ps("0.0005ns") == 1);
  CHECK(ps("1.123456789012s") == 1'123'456'789'012);
  CHECK(ps("0.1234567890123456789s") == 123'456'789'012);
}

TEST_CASE("a number without a unit is refused with a way to write it") {
  CHECK(parse_duration("4").problem == "has no unit; write 4ns or 4us");
  CHECK(parse_latency("4").problem == "has no unit; write 4ns or 4cyc");
  CHECK(parse_cycles("18").problem == "has no unit; write 18cyc");
  CHECK(parse_frequency("2.3").problem == "has no unit; write 2.3GHz or 2.3MHz");
  CHECK(parse_bytes("64").problem == "has no unit; write 64B or 64KiB");
  CHECK(parse_share("10").problem == "has no unit; write 10%");
}

TEST_CASE("an unknown unit is refused with the known ones") {
  CHECK(parse_duration("4sec").problem ==
        "has the unknown unit \"sec\"; expected one of ps, ns, us, ms, s");
  CHECK(parse_latency("4 ns").problem ==
        "has the unknown unit \" ns\"; expected one of ps, ns, us, ms, s, cyc");
  CHECK(parse_cycles("4ns").problem == "has the unknown unit \"ns\"; expected cyc");
  CHECK(parse_bytes("4KB").problem ==
        "has the unknown unit \"KB\"; expected one of B, KiB, MiB, GiB");
}

TEST_CASE("numbers are decimal, whole, and without sign or exponent") {
  for (const char* text : {"", "ns", "-4ns", "+4ns", ".5ns", "0x4ns", "1e3ns", "4.ns", "4..5ns",
                           "4ns ", "\xC2\xB5s", "nan", "inf"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_duration(text).value);
  }
  CHECK(parse_duration("1e3ns").problem ==
        "has the unknown unit \"e3ns\"; expected one of ps, ns, us, ms, s");
  CHECK(parse_duration("soon").problem ==
        "is not a number with a unit; write 12ns or 12us, for example");
  CHECK(parse_integer("-12").value == -12);
  CHECK(parse_integer("12.0").problem == "is not a whole number");
  CHECK(parse_integer("0x10").problem == "is not a whole number");
  CHECK(parse_integer("99999999999999999999").problem == "is too large");
  CHECK(parse_unsigned("18446744073709551615").value == 18446744073709551615U);
  CHECK(parse_decimal("-1.25").value == -1.25);
  CHECK(parse_decimal("1e5").problem == "is not a decimal number");
}

TEST_CASE("quantities that do not fit are refused, not wrapped") {
  CHECK(parse_duration("99999999999999999999s").problem == "is too large");
  CHECK(parse_duration("10000000s").problem == "is longer than a run can be");
  CHECK(parse_latency("1ns+99999999999999999999cyc").problem == "after \"+\": is too large");
  CHECK(parse_bytes("18446744073709551616B").problem == "is too large");
  CHECK(parse_bytes("18446744073709551615B").value->bytes == 18446744073709551615U);
}

TEST_CASE("a latency is a time, cycles, or both") {
  CHECK(parse_latency("5ns").value == TimeAndCycles{Duration::from_ps(5000), {}});
  CHECK(parse_latency("18cyc").value == TimeAndCycles{{}, {18'000}});
  CHECK(parse_latency("2.5cyc").value == TimeAndCycles{{}, {2'500}});
  CHECK(parse_latency("5ns+3cyc").value == TimeAndCycles{Duration::from_ps(5000), {3'000}});
  CHECK(parse_latency("5+3cyc").problem == "before \"+\": has no unit; write 5ns or 5us");
  CHECK(parse_latency("3cyc+5ns").problem ==
        "before \"+\": has the unknown unit \"cyc\"; expected one of ps, ns, us, ms, s");
}

TEST_CASE("frequencies, sizes and shares are exact") {
  CHECK(parse_frequency("2.3GHz").value->hertz == 2'300'000'000);
  CHECK(parse_frequency("2300MHz").value->hertz == 2'300'000'000);
  CHECK(parse_bytes("4KiB").value->bytes == 4096);
  CHECK(parse_bytes("1.5KiB").value->bytes == 1536);
  CHECK(parse_share("12.5%").value->of_one == 0.125);
}

TEST_CASE("what is printed reads back as the same value") {
  for (const std::uint64_t value : {0ULL, 1ULL, 999ULL, 1000ULL, 1001ULL, 4826ULL, 47'400ULL,
                                    1'500'000ULL, 1'234'567'890ULL, 2'000'000'000'000ULL}) {
    const Duration duration = Duration::from_ps(value);
    CHECK(parse_duration(to_text(duration)).value == duration);
  }
  CHECK(to_text(Duration::from_ps(47'400)) == "47.4ns");
  CHECK(to_text(TimeAndCycles{Duration::from_ps(5000), {3000}}) == "5ns+3cyc");
  CHECK(to_text(Frequency{3'730'000'000}) == "3.73GHz");
  CHECK(to_text(ByteCount{65536}) == "64KiB");
  CHECK(to_text(Share{0.125}) == "12.5%");
}

TEST_CASE("the nearest spelling is offered only if it is near") {
  const std::vector<std::string> known = {"look_up", "hop", "direct"};
  CHECK(nearest("lookup", known) == "look_up");
  CHECK(nearest("hpo", known) == "hop");
  CHECK(nearest("direkt", known) == "direct");
  CHECK(nearest("fabric", known).empty());
  CHECK(suggestion("fabric", known) == "expected one of look_up, hop, direct");
  CHECK(suggestion("lok_up", known) == "did you mean \"look_up\"?");
}

}  // namespace
}  // namespace hotline::input
