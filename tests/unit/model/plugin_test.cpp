#include "sim/model/plugin.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "models/catalog.hpp"
#include "sim/model/catalog.hpp"
#include "sim/model/describe.hpp"
#include "tests/catch.hpp"

namespace hotline::model {
namespace {

std::string contents(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a lock outside the tree loads from a shared library and can be built") {
  Catalog catalog(models::built_in());
  catalog.load(POLITE_LOCK);
  const Entry* polite = catalog.find("polite");
  REQUIRE(polite != nullptr);
  const auto specs = describe(*polite);
  REQUIRE(specs.size() == 1);
  CHECK(specs[0].name == "pauses");
}

engine::Task<> take_turns(Lock& lock, os::Thread& self, machine::Word check, int rounds) {
  for (int k = 0; k < rounds; ++k) {
    co_await lock.acquire(self);
    const auto seen = co_await self.load(check);
    co_await self.store(check, seen + 1);
    co_await lock.release(self);
  }
}

TEST_CASE("a loaded lock runs and keeps mutual exclusion") {
  Catalog catalog(models::built_in());
  catalog.load(POLITE_LOCK);

  machine::Description description;
  description.cores_per_cluster = 2;
  description.core.clock = {{1, 1000}};
  description.core.pause = {engine::Duration::from_ps(5000), {}};
  description.core.exchange = {engine::Duration::from_ps(2000), {}};
  const machine::Topology topology(description);
  engine::Simulator simulator;
  machine::Machine machine(simulator, topology);
  Site site(machine, {"it", {0}, std::nullopt, {{0}, {1}}, nullptr});
  ParamReader params;
  const auto model = catalog.find("polite")->make(site, params);
  const auto check = site.word("check");
  os::Thread first(simulator, machine.port({0}), {0}, "first");
  os::Thread second(simulator, machine.port({1}), {1}, "second");
  simulator.spawn(take_turns(*model->lock(), first, check, 100));
  simulator.spawn(take_turns(*model->lock(), second, check, 100));
  simulator.run();
  CHECK(simulator.unfinished_roots() == 0);
  CHECK(machine.peek(check) == 200);
}

TEST_CASE("a file that cannot be loaded, or holds no models of this version, says so") {
  Catalog catalog(models::built_in());
  CHECK_THROWS_WITH(catalog.load("/nowhere/libx.so"),
                    tests::contains_text("cannot load models: /nowhere/libx.so"));
  CHECK_THROWS_WITH(catalog.load(STALE_MODELS),
                    tests::contains_text("built for model interface 6"));
  CHECK_THROWS_AS(catalog.load("README.md"), PluginError);
}

TEST_CASE("the same library twice is refused: its names are taken") {
  Catalog catalog(models::built_in());
  catalog.load(POLITE_LOCK);
  CHECK_THROWS_WITH(catalog.load(POLITE_LOCK), "model \"polite\" is there already");
}

TEST_CASE("docs/adding-a-model.md shows the file that is compiled") {
  const std::string page = contents("docs/adding-a-model.md");
  CHECK_THAT(page, tests::contains_text(contents("tests/docs/polite_lock.cpp")));
}

}  // namespace
}  // namespace hotline::model
