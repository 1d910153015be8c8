// paper   Ellen, Lev, Luchangco, Moir, SNZI: Scalable NonZero Indicators, PODC 2007.
// idea    A tree of counters that tells zero from non-zero only. An arrival at a node goes on to
//         the parent only if the node was at zero, a departure only if it comes back to zero; so
//         while a leaf has users, others come and go there without touching the root. The root
//         keeps an indicator up to date, which is all that a query reads.
// spins   Nobody. Arrivals and departures try compare-exchanges on their leaf, seldom above.
// differs from the paper in how the indicator is cleared: it holds the version for which it was
// set,
//         so that a compare-exchange stands in for load-linked and store-conditional.

#include "models/counters/snzi.hpp"

#include <vector>

namespace hotline::models {

namespace {

// A node holds twice its count in the lower half, so that a half is 1, and a version above it.
constexpr Value kHalf = 1;
constexpr Value kOne = 2;
constexpr unsigned kVersionShift = 32;
constexpr Value kCount = (Value{1} << kVersionShift) - 1;
// The root has a bit between: an arrival that came from zero has not set the indicator yet.
constexpr Value kAnnounce = Value{1} << 31;
constexpr Value kRootCount = kAnnounce - 1;
constexpr Value kOneVersion = Value{1} << kVersionShift;

class Snzi final : public ReferenceModel {
 public:
  Snzi(Site& site, ParamReader& params)
      : site_(site),
        by_cpu_(params.choice("leaves", 0, {"node", "cpu"},
                              "who shares a leaf: the threads of a NUMA node, or of a CPU") == 1),
        fan_out_(static_cast<std::uint32_t>(
            params.integer("fan_out", 8, 2, 1024, "children of a node of the tree"))),
        root_(site.word("root")),
        leaf_of_thread_(site.threads(), kUnknown) {
    site.new_line();
    indicator_ = site.word("indicator");
    leaves_ =
        by_cpu_ ? site.per_cpu("leaf", {{"state", 64}}) : site.per_node("leaf", {{"state", 64}});
    std::uint32_t width = leaves_.count();
    while (width > fan_out_) {
      width = (width + fan_out_ - 1) / fan_out_;
      inner_.push_back(site.array("inner", {{"state", 64}}, width));
    }
  }

  Task<> get(Thread& self) override { return arrive(self, leaf_of(self)); }
  Task<bool> try_get(Thread& self) override {
    co_await arrive(self, leaf_of(self));
    co_return true;
  }
  /// True for a departure that cleared the indicator.
  Task<bool> put(Thread& self) override { return depart(self, leaf_of(self)); }

  Task<bool> query(Thread& self) override {
    const Value seen = co_await self.load(indicator_);
    co_return (seen & 1) != 0;
  }

  std::int64_t users() const override {
    std::int64_t all = 0;
    for (std::uint32_t leaf = 0; leaf < leaves_.count(); ++leaf) {
      all += static_cast<std::int64_t>((site_.peek(leaves_.word(leaf, 0)) & kCount) / kOne);
    }
    return all;
  }

 private:
  /// A node of the tree: level 0 are the leaves, the last one the root.
  struct Place {
    std::size_t level;
    std::uint32_t number;
  };
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  /// A thread leaves where it has come, wherever it runs by then.
  Place leaf_of(const Thread& self) {
    std::uint32_t& leaf = leaf_of_thread_[self.id().value];
    if (leaf == kUnknown) leaf = by_cpu_ ? self.cpu().value : self.node().value;
    return {0, leaf};
  }
  Place parent_of(Place place) const { return {place.level + 1, place.number / fan_out_}; }
  bool is_root(Place place) const { return place.level == inner_.size() + 1; }
  Word word(Place place) const {
    if (place.level == 0) return leaves_.word(place.number, 0);
    return inner_[place.level - 1].word(place.number, 0);
  }

  Task<> arrive(Thread& self, Place place) {
    if (is_root(place)) {
      co_await arrive_at_root(self);
      co_return;
    }
    std::uint32_t too_many = 0;
    for (bool arrived = false; !arrived;) {
      Value seen = co_await self.load(word(place));
      if ((seen & kCount) >= kOne) {
        arrived = co_await replace(self, word(place), {seen, seen + kOne});
        continue;
      }
      if ((seen & kCount) == 0) {
        const Value half = (seen & ~kCount) + kOneVersion + kHalf;
        arrived = co_await replace(self, word(place), {seen, half});
        if (!arrived) continue;
        seen = half;
      }
      // Half an arrival: it counts when the parent knows; others help.
      co_await arrive(self, parent_of(place));
      const bool counted = co_await replace(self, word(place), {seen, seen + kHalf});
      if (!counted) ++too_many;
    }
    for (; too_many > 0; --too_many) co_await depart(self, parent_of(place));
  }

  Task<bool> depart(Thread& self, Place place) {
    if (is_root(place)) {
      const bool cleared = co_await depart_from_root(self);
      co_return cleared;
    }
    for (;;) {
      const Value seen = co_await self.load(word(place));
      const bool departed = co_await replace(self, word(place), {seen, seen - kOne});
      if (!departed) continue;
      if ((seen & kCount) != kOne) co_return false;
      const bool cleared = co_await depart(self, parent_of(place));
      co_return cleared;
    }
  }

  Task<> arrive_at_root(Thread& self) {
    Value wanted = 0;
    for (bool arrived = false; !arrived;) {
      const Value seen = co_await self.load(root_);
      const bool from_zero = (seen & kRootCount) == 0;
      wanted = from_zero ? (((seen & ~kCount) + kOneVersion) | kAnnounce | 1) : seen + 1;
      arrived = co_await replace(self, root_, {seen, wanted});
    }
    if ((wanted & kAnnounce) == 0) co_return;
    co_await self.store(indicator_, version_of(wanted) << 1 | 1);
    co_await replace(self, root_, {wanted, wanted & ~kAnnounce});
  }

  Task<bool> depart_from_root(Thread& self) {
    Value seen = 0;
    for (bool departed = false; !departed;) {
      seen = co_await self.load(root_);
      departed = co_await replace(self, root_, {seen, (seen - 1) & ~kAnnounce});
    }
    if ((seen & kRootCount) > 1) co_return false;
    for (;;) {
      const Value shown = co_await self.load(indicator_);
      const Value now = co_await self.load(root_);
      if (version_of(now) != version_of(seen)) co_return false;  // somebody has come
      const bool cleared = co_await replace(self, indicator_, {shown, shown & ~Value{1}});
      if (cleared) co_return true;
    }
  }

  struct Swap {
    Value expected;
    Value desired;
  };
  static Task<bool> replace(Thread& self, Word word, Swap swap) {
    const Value before = co_await self.compare_exchange(word, swap.expected, swap.desired);
    co_return before == swap.expected;
  }

  static Value version_of(Value root) { return root >> kVersionShift; }

  Site& site_;
  bool by_cpu_;
  std::uint32_t fan_out_;
  Word root_;
  Word indicator_;
  Records leaves_;
  std::vector<Records> inner_;
  std::vector<std::uint32_t> leaf_of_thread_;
};

}  // namespace

std::unique_ptr<Model> snzi(Site& site, ParamReader& params) { return make<Snzi>(site, params); }

}  // namespace hotline::models
