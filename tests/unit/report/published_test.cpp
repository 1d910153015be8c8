#include "sim/report/published_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

// Published figures beside simulated ones.
namespace hotline::report {
namespace {

using experiment::Check;
using tests::contains_text;
using workload::Published;
using workload::Quantity;

Check check(Quantity quantity, double published, double simulated) {
  Check result;
  result.published.name = "a figure";
  result.published.variant = "before";
  result.published.quantity = std::move(quantity);
  result.published.value = published;
  result.published.source = "a mail";
  result.predicted = measure::Interval{simulated, 0.9 * simulated, 1.1 * simulated, 5};
  return result;
}

Quantity lock_column(const char* column) {
  Quantity quantity;
  quantity.kind = Quantity::Kind::kLock;
  quantity.name = "dcache_lock";
  quantity.column = column;
  return quantity;
}

experiment::Comparison workload(std::vector<Check> checks) {
  return {"walks", "", {}, {}, std::move(checks)};
}

}  // namespace

TEST_CASE("a figure is printed in its own unit") {
  CHECK_THAT(published_text({check({}, 2000, 1000)}),
             contains_text("published 2.000 k/s, simulated 1.000 k/s [900.0/s, 1.100 k/s], "
                           "error -50.0%."));
  CHECK_THAT(published_text({check(lock_column("hold_mean"), 500, 600)}),
             contains_text("published 500ns, simulated 600ns [540ns, 660ns]"));
  CHECK_THAT(published_text({check(lock_column("utilisation"), 20, 22)}),
             contains_text("published 20.0%, simulated 22.0% [19.8%, 24.2%], error +10.0% (+2.0 "
                           "points)."));
}

TEST_CASE("what a workload was calibrated on is called no prediction and is never beyond") {
  Check calibrated = check(lock_column("contention"), 20, 30);
  calibrated.published.calibrated = true;
  CHECK_THAT(published_text({calibrated}), contains_text("it is no prediction"));
  CHECK(beyond({workload({calibrated})}, 0.2) == 0);
  CHECK(beyond({workload({check(lock_column("contention"), 20, 30)})}, 0.2) == 1);
  CHECK(beyond({workload({check(lock_column("contention"), 20, 30)})}, 0.6) == 0);
}

TEST_CASE("a survey has a heading for each workload and a mark for what is beyond") {
  const std::vector<experiment::Comparison> all{
      workload({check(lock_column("contention"), 20, 30)})};
  const std::string text = survey_text(all, 0.2, {});
  CHECK_THAT(text, contains_text("\nwalks\n"));
  CHECK_THAT(text, contains_text("20.0%  30.0% +- 10.0%  +50.0%  !\n"));
  CHECK_THAT(text, contains_text("! 1 prediction farther than 20%"));
  CHECK_THAT(survey_text(all, {}, {}), !contains_text("!"));
}

TEST_CASE("a survey's table says of which workload each figure is") {
  const Document document = survey_document({workload({check({}, 2, 1)})});
  REQUIRE(document.tables.size() == 1);
  CHECK(document.tables[0].fields[0].name == "scenario");
  CHECK(std::get<std::string>(document.tables[0].rows[0][0]) == "walks");
}

}  // namespace hotline::report
