#include "tests/catch.hpp"
#include "tests/style/catalogue_rules.hpp"

namespace hotline::tests::style {
namespace {

Tree tree_with(std::string catalogue) {
  return {{"docs/models/mcs.md", "# MCS\n"},
          {"models/catalog.cpp", std::move(catalogue)},
          {"models/locks/mcs.cpp", "#include \"models/locks/mcs.hpp\"\n"},
          {"models/locks/mcs.hpp", "#pragma once\n"}};
}

TEST_CASE("a model in the catalogue with a page passes") {
  const Tree tree = tree_with("#include \"models/locks/mcs.hpp\"\n");
  CHECK(check_catalogued(tree).empty());
  CHECK(check_documented(tree).empty());
}

TEST_CASE("a model that the catalogue forgot is reported") {
  CHECK(to_text(check_catalogued(tree_with("// nothing\n"))) ==
        "models/locks/mcs.cpp:1: the model is not in models/catalog.cpp\n");
}

TEST_CASE("a model without a page is reported") {
  Tree tree = tree_with("");
  tree.erase(tree.begin());
  CHECK(to_text(check_documented(tree)) ==
        "models/locks/mcs.cpp:1: the model has no page docs/models/mcs.md\n");
}

}  // namespace
}  // namespace hotline::tests::style
