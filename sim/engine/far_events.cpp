#include "sim/engine/far_events.hpp"

#include <stdexcept>

namespace hotline::engine {

void FarEvents::insert(SimTime time, Phase phase, std::uint32_t leaf, void* payload) {
  by_leaf_[leaf] = by_time_.insert(Entry{time, phase, next_order_++, leaf, payload}).first;
}

FarEvents::Entry FarEvents::remove(std::uint32_t leaf) {
  const auto found = by_leaf_.find(leaf);
  if (found == by_leaf_.end()) {
    throw std::logic_error("an event that is not pending was cancelled or rescheduled");
  }
  const Entry entry = *found->second;
  by_time_.erase(found->second);
  by_leaf_.erase(found);
  return entry;
}

}  // namespace hotline::engine
