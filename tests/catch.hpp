#pragma once

// Catch2 2.13 (Debian 12) and Catch2 3 under one name. Tests include this header, and take from it
// the two things that the versions spell differently: Approx and contains_text.

#include <string>
#include <utility>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace hotline::tests {

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
using Catch::Approx;
#else
using Catch::Detail::Approx;
#endif

/// Returns a matcher for REQUIRE_THAT that accepts every string with `text` somewhere in it.
inline auto contains_text(std::string text) {
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
  return Catch::Matchers::ContainsSubstring(std::move(text));
#else
  return Catch::Matchers::Contains(text);
#endif
}

}  // namespace hotline::tests
