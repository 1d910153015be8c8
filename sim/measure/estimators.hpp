#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sim/measure/interval.hpp"

/// Intervals beside Student's for independent replications (interval.hpp): of one long run, of
/// statistics other than the mean, and of quantiles. docs/statistics.md says which is for what.
namespace hotline::measure {

/// The mean of one long run whose neighbouring observations depend on each other: Student's t
/// interval of the means of `batches` equal stretches. What does not fill the last stretch is left
/// out at the beginning. Without bounds if there are fewer observations than batches.
[[nodiscard]] Interval batch_means_interval(std::span<const double> series,
                                            std::size_t batches = 20);

/// The correlation of each observation with the next; 0 for fewer than three or equal ones. Batch
/// means may be trusted where that of the means is small.
[[nodiscard]] double lag_one_correlation(std::span<const double> series);

/// What a bootstrap estimates; must not depend on the order of the samples.
using Statistic = std::function<double(std::span<const double>)>;

/// Any statistic of independent samples with the bootstrap's bias-corrected and accelerated
/// interval (Efron, JASA 82, 1987). Deterministic: `seed` names the resamples.
[[nodiscard]] Interval bootstrap_interval(std::span<const double> samples,
                                          const Statistic& statistic, std::size_t resamples = 2000,
                                          std::uint64_t seed = 1);

/// The p-quantile of independent samples, with bounds that are samples themselves, chosen by the
/// binomial distribution of how many lie below it: no assumption about the distribution. A bound
/// that so few samples cannot give is infinite.
[[nodiscard]] Interval quantile_interval(std::span<const double> samples, double p);

/// The p-quantile itself, between neighbouring samples where it falls between them.
[[nodiscard]] double quantile(std::span<const double> samples, double p);

}  // namespace hotline::measure
