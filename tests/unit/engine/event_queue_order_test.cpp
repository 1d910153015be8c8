// Random operations on the event queue beside an obvious one, for several key widths: the narrow
// ones renumber and move their window all the time.

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/engine/event_queue.hpp"
#include "sim/engine/random.hpp"
#include "tests/catch.hpp"

using namespace hotline::engine;

namespace {

/// The order that the event queue promises, as a sorted map.
class ObviousQueue {
 public:
  using Key = std::tuple<SimTime, Phase, std::uint64_t>;

  void insert(SimTime time, Phase phase, int* payload) {
    const Key key{time, phase, next_order_++};
    events_[key] = payload;
    keys_[payload] = key;
  }

  void cancel(int* payload) {
    events_.erase(keys_.at(payload));
    keys_.erase(payload);
  }

  void reschedule(int* payload, SimTime time) {
    const Phase phase = std::get<Phase>(keys_.at(payload));
    cancel(payload);
    insert(time, phase, payload);
  }

  int* take(SimTime& time) {
    const auto first = events_.begin();
    int* const payload = first->second;
    time = std::get<SimTime>(first->first);
    cancel(payload);
    return payload;
  }

  [[nodiscard]] std::size_t size() const { return events_.size(); }

 private:
  std::map<Key, int*> events_;
  std::unordered_map<int*, Key> keys_;
  std::uint64_t next_order_ = 0;
};

/// Drives both queues alike, and compares what they give.
template <class Queue>
class Pair {
 public:
  Pair(std::uint64_t seed, std::size_t most, std::uint64_t longest)
      : random_(seed, "event queue"), payloads_(most), longest_(longest) {
    for (auto& payload : payloads_) idle_.push_back(&payload);
  }

  void step() {
    const std::uint64_t action = random_.below(10);
    if (action < 4) {
      insert();
    } else if (action < 5) {
      cancel();
    } else if (action < 6) {
      reschedule();
    } else {
      take();
    }
    REQUIRE(queue_.size() == obvious_.size());
  }

  void drain() {
    while (obvious_.size() != 0) take();
    FiredEvent event;
    REQUIRE(queue_.idle());
    REQUIRE_FALSE(queue_.take(SimTime::never(), event));
  }

 private:
  /// Often now or soon, so that many events are simultaneous; sometimes far away.
  SimTime some_time() {
    switch (random_.below(4)) {
      case 0:
        return now_;
      case 1:
        return now_ + Duration::from_ps(random_.below(longest_));
      default:
        return now_ + Duration::from_ps(random_.below(8));
    }
  }

  void insert() {
    if (idle_.empty()) return;
    int* const payload = idle_.back();
    idle_.pop_back();
    const SimTime time = some_time();
    const auto phase = static_cast<Phase>(random_.below(3));
    pending_.emplace_back(payload, queue_.insert(time, phase, payload));
    obvious_.insert(time, phase, payload);
  }

  void cancel() {
    if (pending_.empty()) return;
    const std::size_t i = random_.below(pending_.size());
    queue_.cancel(pending_[i].second);
    obvious_.cancel(pending_[i].first);
    retire(i);
  }

  void reschedule() {
    if (pending_.empty()) return;
    const std::size_t i = random_.below(pending_.size());
    const SimTime time = some_time();
    queue_.reschedule(pending_[i].second, time);
    obvious_.reschedule(pending_[i].first, time);
  }

  void take() {
    if (obvious_.size() == 0) return;
    FiredEvent event;
    REQUIRE(queue_.take(SimTime::never(), event));
    int* const expected = obvious_.take(now_);
    REQUIRE(event.payload == expected);
    REQUIRE(event.time == now_);
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].first == expected) return retire(i);
    }
    FAIL("an event fired that was not pending");
  }

  void retire(std::size_t i) {
    idle_.push_back(pending_[i].first);
    pending_[i] = pending_.back();
    pending_.pop_back();
  }

  Queue queue_;
  ObviousQueue obvious_;
  Random random_;
  SimTime now_;
  std::vector<int> payloads_;
  std::vector<int*> idle_;
  std::vector<std::pair<int*, EventId>> pending_;
  std::uint64_t longest_;
};

template <class Queue>
void compare_with_obvious(std::size_t most, std::uint64_t longest) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Pair<Queue> pair(seed, most, longest);
    for (int i = 0; i < 20'000; ++i) pair.step();
    pair.drain();
  }
}

}  // namespace

TEST_CASE("any mixture of operations gives the order of time, phase and insertion") {
  compare_with_obvious<EventQueue>(300, 1000);
}

TEST_CASE("renumbering when the sequence runs out does not change the order") {
  compare_with_obvious<BasicEventQueue<40, 6>>(40, 1000);
  compare_with_obvious<BasicEventQueue<40, 8>>(150, 1000);
}

TEST_CASE("moving the time window does not change the order") {
  compare_with_obvious<BasicEventQueue<6, 22>>(100, 300);
  compare_with_obvious<BasicEventQueue<4, 22>>(100, 300);
}

TEST_CASE("renumbering and moving the window at once does not change the order") {
  compare_with_obvious<BasicEventQueue<5, 6>>(40, 200);
}
