#include "sim/input/document.hpp"
#include "sim/input/types.hpp"
#include "tests/catch.hpp"

namespace hotline::input {
namespace {

/// Reads `text` with `body(MapReader&)` and returns what was reported.
template <class Body>
std::string report(std::string_view text, Body&& body, Figures* figures = nullptr) {
  Diagnostics diagnostics;
  const Node node = load_text(text, "f.yaml", diagnostics);
  Reading reading{diagnostics, figures};
  read(reading, node, body);
  return diagnostics.text();
}

TEST_CASE("typed reads return what the file says") {
  const std::string text =
      "name: big\non: true\nsockets: 8\nratio: 1.5\nhop: 5.5ns\nrmw: 2ns+3cyc\n"
      "clock: 2.3GHz\nline: 64B\nloss: 10%\nprotocol: mesif\n";
  CHECK(report(text, [](MapReader& map) {
          CHECK(map.require("name", input::text(), "") == "big");
          CHECK(map.require("on", boolean(), ""));
          CHECK(map.require("sockets", integer<std::uint32_t>(1, 64), "") == 8);
          CHECK(map.require("ratio", decimal(1.0, 4.0), "") == 1.5);
          CHECK(map.require("hop", duration(), "").ps() == 5500);
          CHECK(map.require("rmw", latency(), "").cycles.milli == 3000);
          CHECK(map.require("clock", frequency(), "").hertz == 2'300'000'000);
          CHECK(map.require("line", bytes(), "").bytes == 64);
          CHECK(map.require("loss", share_of(), "").of_one == 0.1);
          CHECK(map.require("protocol", choice<int>({{"mesi", 1}, {"mesif", 2}}), "") == 2);
          CHECK(map.get("absent", integer<int>(), 7, "") == 7);
          CHECK_FALSE(map.find("absent too", duration(), ""));
        }).empty());
}

TEST_CASE("every kind of mistake has its own message, and all come at once") {
  const std::string text =
      "sockets: 0\n"
      "hop: 4\n"
      "on: yes\n"
      "protocol: mesiff\n"
      "latancy: 3ns\n"
      "ratio: big\n"
      "clock: [1]\n"
      "fill:\n"
      "cores: 5000\n"
      "nodes: -1\n"
      "title: {a: 1}\n"
      "links: 3\n";
  CHECK(report(text,
               [](MapReader& map) {
                 map.require("sockets", integer<std::uint32_t>(1, 64), "");
                 map.require("hop", latency(), "");
                 map.require("on", boolean(), "");
                 map.require("protocol", choice<int>({{"mesi", 1}, {"mesif", 2}}), "");
                 map.get("latency", duration(), {}, "");
                 map.require("ratio", decimal(), "");
                 map.require("clock", frequency(), "");
                 map.require("fill", latency(), "");
                 map.require("cores", integer<std::uint32_t>(1, 4096), "");
                 map.require("nodes", integer<std::uint32_t>(1, 64), "");
                 map.require("title", input::text(), "");
                 map.require("issue", latency(), "from a miss to the request leaving the core");
                 map.value("links", "",
                           [](const Value& value) { value.list([](const Value&) {}); });
               }) ==
        "f.yaml:1:1: error: key \"issue\" is missing: from a miss to the request leaving the core\n"
        "f.yaml:1:10: error: sockets: \"0\" is below the smallest allowed value 1\n"
        "f.yaml:2:6: error: hop: \"4\" has no unit; write 4ns or 4cyc\n"
        "f.yaml:3:5: error: on: \"yes\" is not true or false\n"
        "f.yaml:4:11: error: protocol: \"mesiff\" is not known; expected one of mesi, mesif; did "
        "you mean \"mesif\"?\n"
        "f.yaml:5:1: error: latancy: unknown key; did you mean \"latency\"?\n"
        "f.yaml:6:8: error: ratio: \"big\" is not a decimal number\n"
        "f.yaml:7:8: error: clock: a list stands here; expected a frequency such as 2.3GHz\n"
        "f.yaml:8:1: error: fill: nothing stands here; expected a latency such as 5ns, 18cyc or "
        "5ns+3cyc\n"
        "f.yaml:9:8: error: cores: \"5000\" is above the largest allowed value 4096\n"
        "f.yaml:10:8: error: nodes: \"-1\" is below the smallest allowed value 1\n"
        "f.yaml:11:8: error: title: a map stands here; expected a text\n"
        "f.yaml:12:8: error: links: \"3\" stands here; expected a list\n");
}

TEST_CASE("paths lead through maps and lists") {
  const std::string text = "core: {hop: 4}\nlinks:\n  - {there: 4ns, bcak: 3ns}\n  - 7\n";
  CHECK(report(text,
               [](MapReader& map) {
                 map.map("core", "", [](MapReader& core) { core.require("hop", duration(), ""); });
                 map.value("links", "", [](const Value& links) {
                   links.list([](const Value& link) {
                     link.map([](MapReader& one) {
                       one.require("there", duration(), "");
                       one.find("back", duration(), "");
                     });
                   });
                 });
               }) ==
        "f.yaml:1:13: error: core.hop: \"4\" has no unit; write 4ns or 4us\n"
        "f.yaml:3:18: error: links[0].bcak: unknown key; did you mean \"back\"?\n"
        "f.yaml:4:5: error: links[1]: \"7\" stands here; expected a map\n");
}

TEST_CASE("an unknown key with no near spelling lists the known ones") {
  CHECK(report("zzz: 1\n", [](MapReader& map) {
          map.find("hop", duration(), "");
          map.find("fill", duration(), "");
        }) == "f.yaml:1:1: error: zzz: unknown key; expected one of hop, fill\n");
}

TEST_CASE("lists and maps of free keys are bounded") {
  CHECK(report("a: []\nb: [1, 2, 3]\nc: {x: 1}\n",
               [](MapReader& map) {
                 map.value("a", "", [](const Value& v) { v.list([](const Value&) {}, {1, 2}); });
                 map.value("b", "", [](const Value& v) { v.list([](const Value&) {}, {1, 2}); });
                 map.value("c", "", [](const Value& v) {
                   v.entries([](std::string_view name, const Value& entry) {
                     CHECK(name == "x");
                     CHECK(entry.path() == "c.x");
                   });
                 });
               }) ==
        "f.yaml:1:4: error: a: has 0 items; expected at least 1\n"
        "f.yaml:2:4: error: b: has 3 items; expected at most 2\n");
}

TEST_CASE("a figure may stand alone or with its source, its range, or as inferred") {
  Figures figures;
  const std::string text =
      "source: the block's table\n"
      "issue: 5ns\n"
      "hop: {is: 6ns, source: their page}\n"
      "fill: {is: 10ns, inferred: true, range: [3ns, 12ns]}\n"
      "snoop: {is: 4ns, inferred: true, range: 30%}\n"
      "deep: {inferred: true, range: 20%, load: 4cyc}\n";
  CHECK(report(
            text,
            [](MapReader& map) {
              CHECK(map.require("issue", latency(), "").time.ps() == 5000);
              CHECK(map.require("hop", latency(), "").time.ps() == 6000);
              map.require("fill", latency(), "");
              map.require("snoop", latency(), "");
              map.map("deep", "", [](MapReader& m) { m.require("load", latency(), ""); });
            },
            &figures)
            .empty());
  REQUIRE(figures.size() == 5);
  CHECK(figures[0].origin.source == "the block's table");
  CHECK(figures[1].origin.source == "their page");
  CHECK(figures[1].text == "6ns");
  CHECK(figures[2].origin.inferred);
  CHECK(figures[2].origin.source.empty());
  CHECK(figures[2].origin.range == "3ns to 12ns");
  CHECK(figures[3].origin.range == "within 30%");
  CHECK(figures[4].place.path == "deep.load");
  CHECK(figures[4].origin.range == "within 20%");
  for (const Figure& figure : figures) CHECK(figure.origin.is_stated());
}

TEST_CASE("a figure without any origin is not stated") {
  Figures figures;
  report(
      "hop: 6ns\n", [](MapReader& map) { map.require("hop", latency(), ""); }, &figures);
  REQUIRE(figures.size() == 1);
  CHECK_FALSE(figures[0].origin.is_stated());
  CHECK_FALSE(Origin{"", true, ""}.is_stated());
}

TEST_CASE("mistakes inside a figure are found") {
  Figures figures;
  CHECK(report(
            "a: {is: 6}\nb: {is: 6ns, soucre: x}\nc: {source: x}\n"
            "d: {is: 6ns, inferred: true, range: [7ns, 8ns]}\n"
            "e: {is: 6ns, range: [7ns]}\nf: {is: 6ns, range: soon}\n",
            [](MapReader& map) {
              for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
                map.require(key, duration(), "");
              }
            },
            &figures) ==
        "f.yaml:1:9: error: a: \"6\" has no unit; write 6ns or 6us\n"
        "f.yaml:2:14: error: b.soucre: unknown key; did you mean \"source\"?\n"
        "f.yaml:3:4: error: c: key \"is\" is missing: the figure itself\n"
        "f.yaml:4:37: error: d.range: the range 7ns to 8ns does not hold 6ns\n"
        "f.yaml:5:21: error: e.range: has 1 item; expected at least 2\n"
        "f.yaml:6:21: error: f.range: \"soon\" is not a number with a unit; write 12%, for "
        "example\n");
}

TEST_CASE("without figures the long form is refused") {
  CHECK(report("a: {is: 6ns}\n", [](MapReader& map) { map.require("a", duration(), ""); }) ==
        "f.yaml:1:4: error: a: a map stands here; expected a duration such as 47ns or 1.5us\n");
}

TEST_CASE("a document that is no map is refused once") {
  CHECK(report("[1]\n", [](MapReader& map) { map.require("a", duration(), ""); }) ==
        "f.yaml:1:1: error: a list stands here; expected a map\n");
}

TEST_CASE("a scalar from the command line names its option") {
  Diagnostics diagnostics;
  const Node node = make_scalar("many", "--with sockets");
  Reading reading{diagnostics};
  Value(reading, node, "sockets").as(integer<int>(1, 8));
  CHECK(diagnostics.text() == "--with sockets: error: sockets: \"many\" is not a whole number\n");
}

TEST_CASE("warnings do not throw and errors do") {
  Diagnostics diagnostics;
  diagnostics.warning({"f.yaml", {2, 3}, "slit"}, "is not a metric");
  CHECK_NOTHROW(diagnostics.throw_if_errors());
  CHECK(diagnostics.text() == "f.yaml:2:3: warning: slit: is not a metric\n");
  diagnostics.error({"f.yaml", {1, 1}, {}}, "is wrong");
  diagnostics.error({"f.yaml", {1, 1}, {}}, "is wrong");
  CHECK(diagnostics.errors() == 1);
  CHECK_THROWS_AS(diagnostics.throw_if_errors(), InputError);
}

TEST_CASE("a flood of problems is counted, not kept") {
  Diagnostics diagnostics;
  for (std::uint32_t i = 1; i <= 5000; ++i) diagnostics.error({"f", {i, 1}, {}}, "bad");
  CHECK(diagnostics.errors() == 5000);
  CHECK_THAT(diagnostics.text(), tests::contains_text("and 4000 more\n"));
}

}  // namespace
}  // namespace hotline::input
