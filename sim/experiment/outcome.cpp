#include "sim/experiment/outcome.hpp"

#include "sim/engine/split_mix.hpp"
#include "sim/measure/fairness.hpp"
#include "sim/measure/rows.hpp"

namespace hotline::experiment {

std::uint64_t replication_seed(std::uint64_t seed, std::uint32_t replication) {
  std::uint64_t state = seed;
  for (std::uint32_t i = 0; i < replication; ++i) seed = engine::split_mix(state);
  return seed;
}

double Outcome::jain() const { return measure::jain_index(measure::work_shares(total)); }

double Outcome::min_over_max() const { return measure::min_over_max(measure::work_shares(total)); }

std::string Outcome::work() const { return total.works.empty() ? "" : total.works.front().name; }

}  // namespace hotline::experiment
