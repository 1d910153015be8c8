#include <string>
#include <vector>

#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

// CNA against the stock qspinlock on four sockets (data/cna_v15.csv), with the workloads that are
// shipped. Only the stock lock's figure for one thread has gone into them.
namespace hotline::tests {
namespace {

/// Operations per ns. Few threads of locktorture are placed anew in each of several runs.
double throughput(const workload::Workload& file, std::string_view variant, std::uint32_t threads) {
  workload::Overrides overrides;
  overrides.threads = threads;
  const auto scenario = file.scenario(variant, overrides);
  workload::RunOptions options;
  const std::uint64_t runs = scenario.groups[0].candidates.empty() || threads > 36 ? 1 : 8;
  double sum = 0;
  for (options.seed = 1; options.seed <= runs; ++options.seed) {
    workload::Run run(scenario, options);
    REQUIRE(run.run() == workload::Ending::kTimeUp);
    sum += static_cast<double>(run.work({0})) / (run.measured_to() - run.measured_from()).ns();
  }
  return sum / static_cast<double>(runs);
}

struct Gain {
  std::uint32_t threads;
  double published;
  double simulated;
};

std::vector<Gain> gains(const std::string& benchmark, std::uint32_t only = 0) {
  const auto file = workload::Workload::load("workloads/kernel/cna-" + benchmark + ".yaml");
  std::vector<Gain> all;
  double published_stock = 0;
  for (const Row& row : rows_of("cna_v15.csv")) {
    const auto threads = static_cast<std::uint32_t>(std::stoul(row[1]));
    if (row[0] != benchmark || (only != 0 && threads != only)) continue;
    if (row[2] == "stock") published_stock = std::stod(row[3]);
    if (row[2] != "cna") continue;
    const double published = std::stod(row[3]) / published_stock;
    const double stock = throughput(file, "before", threads);
    const double cna = throughput(file, "after", threads);
    UNSCOPED_INFO(benchmark << ", " << threads << " threads: stock " << 1000 * stock
                            << " operations per us, gain " << cna / stock << ", published "
                            << published);
    all.push_back({threads, published, cna / stock});
  }
  return all;
}

}  // namespace

TEST_CASE("CNA's gain with 142 threads is within 30 % of what was published") {
  for (const char* const benchmark : {"open1", "locktorture"}) {
    const Gain gain = gains(benchmark, 142).at(0);
    CHECK(gain.simulated / gain.published == Approx(1.0).margin(0.30));
  }
}

TEST_CASE("CNA helps at the thread counts at which it was published to, and only there", "[slow]") {
  for (const char* const benchmark : {"open1", "locktorture"}) {
    for (const Gain& gain : gains(benchmark)) {
      CAPTURE(benchmark, gain.threads, gain.published, gain.simulated);
      if (gain.published > 1.1) {
        CHECK(gain.simulated > 1.1);
      } else {
        CHECK(gain.simulated == Approx(1.0).margin(0.1));
      }
    }
  }
}

}  // namespace hotline::tests
