#include "tests/style/catalogue_rules.hpp"

#include "tests/catch.hpp"

namespace hotline::tests::style {
namespace {

Tree tree_with(std::string catalogue) {
  return {{"docs/models/mcs.md", "# MCS\n"},
          {"models/catalog.cpp", std::move(catalogue)},
          {"models/locks/mcs.cpp", "#include \"models/models.hpp\"\n"}};
}

TEST_CASE("a model in the catalogue with a page passes") {
  const Tree tree = tree_with("{\"mcs-lock\", Kind::kLock, mcs},\n");
  CHECK(check_catalogued(tree).empty());
  CHECK(check_documented(tree).empty());
}

TEST_CASE("a model that the catalogue forgot is reported") {
  CHECK(to_text(check_catalogued(
            tree_with("// mcs is to come\n{\"mcs\", Kind::kLock, mcs_of_another_kind},\n"))) ==
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
