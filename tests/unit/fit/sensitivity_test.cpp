#include "sim/experiment/sensitivity.hpp"

#include "tests/catch.hpp"
#include "tests/unit/fit/support.hpp"

namespace hotline::experiment {
namespace {

using tests::Approx;
using tests::turns;

Study study_of(const workload::Workload& workload, std::uint32_t threads,
               std::optional<std::string> baseline = std::nullopt) {
  Settings settings;
  settings.replications = 1;
  return {workload,
          parse_parameters("hold=200ns..300ns, path=500ns..4us", "--free", workload),
          {baseline ? "none" : "lock", std::move(baseline), threads},
          settings};
}

TEST_CASE("without rivals a thread's rate moves with its path, and the tornado says so") {
  const auto workload = turns();
  const Tornado tornado = one_at_a_time(study_of(workload, 1));
  REQUIRE(tornado.swings.size() == 2);
  CHECK(tornado.swings[0].parameter == 1);
  CHECK(tornado.swings[0].at_least == Approx(1e9 / (250 + 500)).epsilon(0.05));
  CHECK(tornado.swings[0].at_most == Approx(1e9 / (250 + 4000)).epsilon(0.05));
  CHECK(tornado.nominal == Approx(1e9 / (250 + 900)).epsilon(0.05));
}

TEST_CASE("the shares of a rate that one figure rules are nearly all of it and nearly nothing") {
  const auto workload = turns();
  const VarianceShares shares = variance_shares(study_of(workload, 1), 128);
  CHECK(shares.evaluations == 128 * 4);
  REQUIRE(shares.indices.size() == 2);
  CHECK(shares.indices[0].total < 0.05);
  CHECK(shares.indices[1].first == Approx(1.0).margin(0.1));
  CHECK(shares.indices[1].total == Approx(1.0).margin(0.1));
}

TEST_CASE("an effect over the ranges lies where the ranges let it") {
  const auto workload = turns();
  const std::vector<double> effects = propagate(study_of(workload, 1), 32);
  CHECK(effects.size() == 32);
  const measure::Interval spread = spread_of(effects);
  CHECK(spread.low > 0.95e9 / (300 + 4000));
  CHECK(spread.high < 1.05e9 / (200 + 500));
  CHECK(spread.mean == Approx(1e9 / (250 + 2250)).epsilon(0.1));
}

TEST_CASE("an effect may be a ratio of two variants that share their random numbers") {
  const auto workload = turns();
  const Study study = study_of(workload, 1, "lock");
  const double ratio = study.at({{250, 900}}).front();
  CHECK(ratio > 1.0);  // no lock to take
  CHECK(ratio < 1.1);
  CHECK(study.effect().text() == "none / lock, 1 threads");
}

}  // namespace
}  // namespace hotline::experiment
