#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hotline::input {

/// The candidate nearest to `word` by edit distance (a swap of neighbours counts once), or empty if
/// none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `did you mean "x"?` for the nearest candidate, else `expected one of a, b, c`.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hotline::input
