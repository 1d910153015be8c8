#include <algorithm>

#include "tests/catch.hpp"
#include "tests/style/catalogue_rules.hpp"
#include "tests/style/layer_rules.hpp"
#include "tests/style/source_rules.hpp"

// The rules held against the tree that the test runs in: ctest starts it at the top of the sources.

namespace hotline::tests::style {
namespace {

bool has_file(const Tree& tree, std::string_view path) {
  return std::any_of(tree.begin(), tree.end(),
                     [&](const SourceFile& file) { return file.path == path; });
}

Tree this_tree() {
  Tree tree = read_tree(".");
  // A check that reads the wrong folder would pass on nothing.
  REQUIRE(has_file(tree, "sim/engine/CMakeLists.txt"));
  REQUIRE(has_file(tree, "tests/style/this_tree_test.cpp"));
  return tree;
}

TEST_CASE("this tree's includes follow the order of the layers") {
  CHECK(to_text(check_layers(this_tree())) == "");
}

TEST_CASE("no two folders of this tree include each other") {
  CHECK(to_text(check_two_way_folders(this_tree())) == "");
}

TEST_CASE("third-party headers of this tree stay in their layers") {
  CHECK(to_text(check_third_party(this_tree())) == "");
}

TEST_CASE("this tree's libraries link only what their layer may") {
  CHECK(to_text(check_links(this_tree())) == "");
}

TEST_CASE("no file of this tree is longer than 400 lines") {
  CHECK(to_text(check_length(this_tree())) == "");
}

TEST_CASE("this tree keeps the coroutine rules of g++ 12") {
  const Tree tree = this_tree();
  CHECK(to_text(check_co_await_in_condition(tree)) == "");
  CHECK(to_text(check_braced_awaiter(tree)) == "");
  CHECK(to_text(check_awaiter_assertion(tree)) == "");
}

TEST_CASE("every header of this tree begins with pragma once") {
  CHECK(to_text(check_pragma_once(this_tree())) == "");
}

TEST_CASE("nothing in this tree is marked as unfinished") {
  CHECK(to_text(check_unfinished_marks(this_tree())) == "");
}

TEST_CASE("every model of this tree is in the catalogue and has a page") {
  const Tree tree = this_tree();
  CHECK(to_text(check_catalogued(tree)) == "");
  CHECK(to_text(check_documented(tree)) == "");
}

}  // namespace
}  // namespace hotline::tests::style
