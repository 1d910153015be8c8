#include "sim/input/document.hpp"

#include "tests/catch.hpp"

namespace hotline::input {
namespace {

std::string problems(std::string_view text, const Limits& limits = {}) {
  Diagnostics diagnostics;
  load_text(text, "f.yaml", diagnostics, limits);
  return diagnostics.text();
}

Node loaded(std::string_view text) {
  Diagnostics diagnostics;
  Node node = load_text(text, "f.yaml", diagnostics);
  REQUIRE(diagnostics.text().empty());
  return node;
}

TEST_CASE("a document keeps its order and the place of every key and value") {
  const Node node = loaded("b: 1\na:\n  - x\n  - {c: 'y'}\n");
  REQUIRE(node.members.size() == 2);
  CHECK(node.members[0].key == "b");
  CHECK(node.members[1].position == Position{2, 1});
  const Node& list = node.members[1].value;
  CHECK(list.items[0].position == Position{3, 5});
  CHECK(list.items[1].members[0].value.position == Position{4, 9});
  CHECK(list.items[1].members[0].value.quoted);
  CHECK_FALSE(list.items[0].quoted);
}

TEST_CASE("duplicate keys are refused with both places") {
  CHECK(problems("a: 1\nb: 2\na: 3\n") ==
        "f.yaml:3:1: error: key \"a\" is given twice; the first is on line 1\n");
}

TEST_CASE("all problems of a document are reported together") {
  CHECK(problems("a: !!int 1\nb: 2\nb: 3\n[x]: 4\n") ==
        "f.yaml:1:4: error: tag \"tag:yaml.org,2002:int\" is not supported; write the plain value\n"
        "f.yaml:3:1: error: key \"b\" is given twice; the first is on line 2\n"
        "f.yaml:4:1: error: a key must be a name, not a list\n");
}

TEST_CASE("aliases and merge keys are expanded, and the map's own keys win") {
  const Node node = loaded("base: &b {x: 1, y: 2}\nuse: {<<: *b, y: 3}\nsame: *b\n");
  CHECK(node.find("use")->find("x")->text == "1");
  CHECK(node.find("use")->find("y")->text == "3");
  CHECK(node.find("same")->find("y")->text == "2");
  CHECK(problems("a: {<<: 3}\n") ==
        "f.yaml:1:9: error: \"<<\" takes a map or a list of maps, not \"3\"\n");
}

TEST_CASE("an alias inside what it names is refused") {
  CHECK(problems("a: &a [1, *a]\n") ==
        "f.yaml:1:11: error: this alias stands inside what it names\n");
}

TEST_CASE("a document is bounded in size, depth and expansion") {
  Limits limits;
  limits.depth = 3;
  CHECK(problems("[[[1]]]", limits).empty());
  CHECK(problems("[[[[1]]]]", limits) == "f.yaml:1:4: error: nested deeper than 3 levels\n");
  CHECK(problems("- &a [1]\n- [[*a]]\n", limits) ==
        "f.yaml:2:5: error: nested deeper than 3 levels\n");
  limits.nodes = 10;
  CHECK(problems("[1,2,3,4,5,6,7,8,9,0]", limits) ==
        "f.yaml:1:20: error: the file has more than 10 values\n");
  CHECK(problems("a: &a [1,2,3]\nb: [*a, *a, *a]\n", limits) ==
        "f.yaml:2:5: error: the file has more than 10 values\n");
  limits.bytes = 4;
  CHECK(problems("a: 12", limits) == "f.yaml: error: is larger than 0 MiB\n");
}

TEST_CASE("ten thousand open brackets end in a message") {
  CHECK_THAT(problems(std::string(10'000, '[')), tests::contains_text("nested deeper than 64"));
  CHECK_THAT(problems(std::string(10'000, '{')), tests::contains_text("error"));
  std::string dashes;
  for (int i = 0; i < 5000; ++i) dashes += "- ";
  CHECK_THAT(problems(dashes), tests::contains_text("nested deeper than 64"));
}

TEST_CASE("what is not text is refused with its place") {
  CHECK(problems("a: \xFF\n") ==
        "f.yaml:1:4: error: byte 0xff is not UTF-8; save the file as UTF-8\n");
  CHECK(problems("a: 1\nb: \xC0\xAF\n") ==
        "f.yaml:2:4: error: byte 0xc0 is not UTF-8; save the file as UTF-8\n");
  CHECK(problems(std::string_view("a: \0", 4)) ==
        "f.yaml:1:4: error: control character 0x00; expected a text file\n");
  CHECK(problems("a: \xC2\xB5s\n").empty());
}

TEST_CASE("broken YAML names its place") {
  CHECK_THAT(problems("a: [1, 2\n"), tests::contains_text("f.yaml:2:1: error: not valid YAML: "));
  CHECK_THAT(problems("a: 1\n\tb: 2\n"), tests::contains_text("error: not valid YAML: "));
  CHECK_THAT(problems("a: *nowhere\n"), tests::contains_text("error: not valid YAML: "));
}

TEST_CASE("an empty file, a second document and a missing file are refused") {
  CHECK(problems("") == "f.yaml: error: is empty; expected a map of keys and values\n");
  CHECK(problems("a: 1\n---\nb: 2\n") ==
        "f.yaml:2:1: error: a second document starts here; expected one document a file\n");
  Diagnostics diagnostics;
  load_file("/nowhere/x.yaml", diagnostics);
  load_file("/", diagnostics);
  CHECK(diagnostics.text() ==
        "/nowhere/x.yaml: error: cannot be opened; does it exist and may you read it?\n"
        "/: error: is a folder; expected a file\n");
}

TEST_CASE("merging replaces scalars and lists and joins maps") {
  const Node base = loaded("a: {x: 1, y: [1, 2]}\nb: 1\n");
  const Node over = loaded("a: {y: [3], z: 4}\nc: 5\n");
  const Node both = merge(base, over);
  CHECK(both.find("a")->find("x")->text == "1");
  CHECK(both.find("a")->find("y")->items.size() == 1);
  CHECK(both.find("a")->find("z")->text == "4");
  CHECK(both.members.back().key == "c");
}

}  // namespace
}  // namespace hotline::input
