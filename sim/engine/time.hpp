#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <limits>

namespace hotline::engine {

/// A length of simulated time, a whole number of picoseconds.
class Duration {
 public:
  constexpr Duration() = default;

  /// The length of `ps` picoseconds.
  [[nodiscard]] static constexpr Duration from_ps(std::uint64_t ps) { return Duration(ps); }

  /// The length of `ns` nanoseconds to the nearest picosecond; for file readers only.
  /// Throws std::domain_error if `ns` is negative, not a number, or more than max().
  [[nodiscard]] static Duration from_ns(double ns);

  /// The longest length (about 106 days): half the clock's range, so that now() + max() does not
  /// wrap and lies at or after SimTime::never().
  [[nodiscard]] static constexpr Duration max() {
    return Duration(std::numeric_limits<std::uint64_t>::max() / 2);
  }

  /// The length in picoseconds.
  [[nodiscard]] constexpr std::uint64_t ps() const { return ps_; }

  /// The length in nanoseconds; for reports only.
  [[nodiscard]] constexpr double ns() const { return static_cast<double>(ps_) / 1000.0; }

  constexpr Duration& operator+=(Duration other) {
    ps_ += other.ps_;
    return *this;
  }

  /// The difference; `other` must not be longer.
  constexpr Duration& operator-=(Duration other) {
    assert(other.ps_ <= ps_);
    ps_ -= other.ps_;
    return *this;
  }

  friend constexpr Duration operator+(Duration a, Duration b) { return a += b; }
  friend constexpr Duration operator-(Duration a, Duration b) { return a -= b; }
  friend constexpr Duration operator*(Duration a, std::uint64_t n) { return Duration(a.ps_ * n); }
  friend constexpr Duration operator*(std::uint64_t n, Duration a) { return a * n; }
  friend constexpr Duration operator/(Duration a, std::uint64_t n) { return Duration(a.ps_ / n); }
  /// How many times `b` fits into `a`.
  friend constexpr std::uint64_t operator/(Duration a, Duration b) { return a.ps_ / b.ps_; }
  /// What is left of `a` when `b` has been taken out as often as it fits.
  friend constexpr Duration operator%(Duration a, Duration b) { return Duration(a.ps_ % b.ps_); }
  friend constexpr auto operator<=>(Duration, Duration) = default;

 private:
  explicit constexpr Duration(std::uint64_t ps) : ps_(ps) {}

  std::uint64_t ps_ = 0;
};

/// A point of simulated time: picoseconds since the start of the run.
class SimTime {
 public:
  constexpr SimTime() = default;

  /// The point `ps` picoseconds after the start.
  [[nodiscard]] static constexpr SimTime from_ps(std::uint64_t ps) { return SimTime(ps); }

  /// The point `ns` nanoseconds after the start, to the nearest picosecond; for file readers only.
  /// Throws std::domain_error like Duration::from_ns.
  [[nodiscard]] static SimTime from_ns(double ns) { return SimTime() + Duration::from_ns(ns); }

  /// A point that no run reaches; an event scheduled there (or later) never fires.
  [[nodiscard]] static constexpr SimTime never() { return SimTime() + Duration::max(); }

  /// Picoseconds since the start.
  [[nodiscard]] constexpr std::uint64_t ps() const { return ps_; }

  /// Nanoseconds since the start; for reports only.
  [[nodiscard]] constexpr double ns() const { return static_cast<double>(ps_) / 1000.0; }

  constexpr SimTime& operator+=(Duration d) {
    ps_ += d.ps();
    return *this;
  }

  /// The point `d` earlier, which must not lie before the start.
  constexpr SimTime& operator-=(Duration d) {
    assert(d.ps() <= ps_);
    ps_ -= d.ps();
    return *this;
  }

  friend constexpr SimTime operator+(SimTime t, Duration d) { return t += d; }
  friend constexpr SimTime operator+(Duration d, SimTime t) { return t += d; }
  friend constexpr SimTime operator-(SimTime t, Duration d) { return t -= d; }
  /// The length from `b` to `a`; `b` must not be later.
  friend constexpr Duration operator-(SimTime a, SimTime b) {
    assert(b.ps_ <= a.ps_);
    return Duration::from_ps(a.ps_ - b.ps_);
  }
  friend constexpr auto operator<=>(SimTime, SimTime) = default;

 private:
  explicit constexpr SimTime(std::uint64_t ps) : ps_(ps) {}

  std::uint64_t ps_ = 0;
};

}  // namespace hotline::engine
