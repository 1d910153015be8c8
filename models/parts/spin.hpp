#pragma once

#include "models/make.hpp"

namespace hotline::models {

/// What a waiter does between two looks; the first two are Pace.
enum class SpinPace : std::uint8_t { kTight, kPause, kYield };

/// Looks until the word holds `wanted`.
Task<> spin_until(Thread& self, Word word, Value wanted, SpinPace pace);

}  // namespace hotline::models
