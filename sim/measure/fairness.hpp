#pragma once

#include <span>

namespace hotline::measure {

/// Jain's index of what threads have got: 1 if all got the same, 1/n if one got everything
/// (Jain, Chiu, Hawe: A quantitative measure of fairness, DEC-TR-301, 1984). 1 for no threads or no
/// shares at all.
[[nodiscard]] double jain_index(std::span<const double> shares);

/// The smallest share over the greatest; 1 for no threads or no shares at all.
[[nodiscard]] double min_over_max(std::span<const double> shares);

}  // namespace hotline::measure
