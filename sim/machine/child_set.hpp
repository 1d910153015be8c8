#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace hotline::machine {

/// A set of an agent's children (cores, or agents below it), kept as bits: no loop over cores.
class ChildSet {
 public:
  void set(std::uint32_t child) {
    if (child < 64) {
      first_ |= bit(child);
    } else {
      set_high(child);
    }
  }
  void reset(std::uint32_t child) {
    if (child < 64) {
      first_ &= ~bit(child);
    } else if (child / 64 <= more_.size()) {
      more_[child / 64 - 1] &= ~bit(child);
    }
  }
  bool test(std::uint32_t child) const {
    if (child < 64) return (first_ & bit(child)) != 0;
    return child / 64 <= more_.size() && (more_[child / 64 - 1] & bit(child)) != 0;
  }
  void clear() {
    first_ = 0;
    more_.clear();
  }
  bool empty() const {
    if (first_ != 0) return false;
    for (const std::uint64_t bits : more_) {
      if (bits != 0) return false;
    }
    return true;
  }
  /// The one member besides `child`; -1 if there is none, or more, or it is not below 64.
  std::int32_t only_other(std::uint32_t child) const {
    const std::uint64_t others = child < 64 ? first_ & ~bit(child) : first_;
    for (const std::uint64_t bits : more_) {
      if (bits != 0) return -1;
    }
    return std::has_single_bit(others) ? std::countr_zero(others) : -1;
  }
  /// Calls `visit(child)` for every member, in rising order.
  template <class Visit>
  void for_each(Visit visit) const {
    visit_bits(first_, 0, visit);
    for (std::uint32_t i = 0; i < more_.size(); ++i) visit_bits(more_[i], (i + 1) * 64, visit);
  }

 private:
  static constexpr std::uint64_t bit(std::uint32_t child) { return std::uint64_t{1} << child % 64; }
  [[gnu::noinline]] void set_high(std::uint32_t child) {
    if (more_.size() < child / 64) more_.resize(child / 64);
    more_[child / 64 - 1] |= bit(child);
  }
  template <class Visit>
  static void visit_bits(std::uint64_t bits, std::uint32_t base, Visit& visit) {
    for (; bits != 0; bits &= bits - 1) {
      visit(base + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;  // children 64 and up
};

}  // namespace hotline::machine
