#include "sim/model/catalog.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "models/catalog.hpp"
#include "sim/model/describe.hpp"
#include "tests/catch.hpp"

namespace hotline::model {
namespace {

std::unique_ptr<Model> nothing(Site&, ParamReader&) { return nullptr; }

TEST_CASE("the catalogue finds a model by its name and suggests the nearest one") {
  const Catalog catalog(models::built_in());
  REQUIRE(catalog.find("mcs") != nullptr);
  CHECK(catalog.find("mcs")->kind == Kind::kLock);
  CHECK(catalog.find("mcs")->promises.fifo);
  CHECK(catalog.find("MCS") == nullptr);
  CHECK(catalog.suggestion("tiket") == "did you mean \"ticket\"?");
}

TEST_CASE("a row whose name is taken, badly spelled or empty is refused") {
  Catalog catalog(models::built_in());
  const std::array taken{Entry{"mcs", Kind::kLock, "", {}, nothing}};
  const std::array shouted{Entry{"MyLock", Kind::kLock, "", {}, nothing}};
  const std::array unnamed{Entry{"", Kind::kLock, "", {}, nothing}};
  const std::array unmade{Entry{"unmade", Kind::kLock, "", {}, nullptr}};
  CHECK_THROWS_WITH(catalog.add(taken), "model \"mcs\" is there already");
  CHECK_THROWS_WITH(catalog.add(shouted), tests::contains_text("MyLock"));
  CHECK_THROWS_WITH(catalog.add(unnamed), tests::contains_text("a name has"));
  CHECK_THROWS_WITH(catalog.add(unmade), tests::contains_text("no function that makes one"));
}

TEST_CASE("rows stay where they are when more are added") {
  Catalog catalog(models::built_in());
  const Entry* before = catalog.find("ticket");
  const std::array more{Entry{"more", Kind::kLock, "", {}, nothing}};
  catalog.add(more);
  CHECK(catalog.find("ticket") == before);
  CHECK(catalog.entries().back().name == "more");
}

TEST_CASE("every model describes itself: a summary, and parameters with descriptions") {
  std::set<std::string_view> names;
  for (const Entry& entry : models::built_in()) {
    INFO(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK(entry.summary.size() > 20);
    CHECK(entry.summary.back() == '.');
    for (const ParamSpec& spec : describe(entry)) {
      INFO(spec.name);
      CHECK_FALSE(spec.description.empty());
      CHECK_FALSE(spec.fallback.empty());
    }
  }
}

TEST_CASE("every model is what its kind says") {
  const machine::Description description = [] {
    machine::Description d;
    d.core.clock = {{1, 1000}};
    return d;
  }();
  const machine::Topology topology(description);
  for (const Entry& entry : models::built_in()) {
    INFO(entry.name);
    engine::Simulator simulator;
    machine::Machine machine(simulator, topology);
    Site site(machine, {"it", {0}, std::nullopt, {{0}}, nullptr});
    ParamReader params;
    const auto model = entry.make(site, params);
    CHECK((model->lock() != nullptr) == is_lock(entry.kind));
    CHECK((model->counter() != nullptr) == is_counter(entry.kind));
    CHECK((model->read_write_lock() != nullptr) == (entry.kind == Kind::kReadWriteLock));
    CHECK((model->sequence_lock() != nullptr) == (entry.kind == Kind::kSequenceLock));
    CHECK((model->reference() != nullptr) == is_reference(entry.kind));
    CHECK(params.problems().empty());
    if (model->counter() != nullptr) CHECK(model->counter()->total() == 0);
  }
}

std::string page_of(std::string_view model) {
  std::string stem(model);
  std::replace(stem.begin(), stem.end(), '-', '_');
  std::ifstream in("docs/models/" + stem + ".md");
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("every model's page names it and all its parameters") {
  for (const Entry& entry : models::built_in()) {
    INFO(entry.name);
    const std::string page = page_of(entry.name);
    CHECK(page.starts_with("# " + std::string(entry.name) + "\n"));
    CHECK_THAT(page, tests::contains_text("## Validation"));
    CHECK_THAT(page, tests::contains_text("## Limits"));
    for (const ParamSpec& spec : describe(entry)) {
      CHECK_THAT(page, tests::contains_text("| `" + spec.name + "` |"));
    }
  }
}

}  // namespace
}  // namespace hotline::model
