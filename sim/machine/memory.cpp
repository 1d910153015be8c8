#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/machine/coherence.hpp"

/// The memory side of Coherence: addresses, bytes, and what can be asked about a line.
namespace hotline::machine {

Address Coherence::allocate(Bytes bytes, NodeId home, std::string_view label) {
  if (home.value >= topology_.nodes()) {
    throw std::invalid_argument(fmt::format("{}: there is no node {}", label, home.value));
  }
  const std::uint32_t line_bytes = description().line_bytes;
  const Address start = Address{lines()} * line_bytes;
  const Bytes pair = Bytes{2} * line_bytes;
  const Bytes reserved = (std::max<Bytes>(bytes, 1) + pair - 1) / pair * pair;
  allocations_.push_back({lines(), std::string(label)});
  for (Bytes done = 0; done < reserved; done += line_bytes) {
    const LineId id{lines()};
    const bool used = done == 0 || done < bytes || description().adjacent_line_prefetch;
    lines_.push_back(used ? &line_storage_.emplace_back(id, home, legs_.slice_of(id)) : nullptr);
  }
  return start;
}

Word Coherence::word(Address address, unsigned size) const {
  const std::uint32_t line_bytes = description().line_bytes;
  const bool sized = size == 1 || size == 2 || size == 4 || size == 8;
  const bool inside = address / line_bytes < lines() &&
                      has_line(LineId{static_cast<std::uint32_t>(address / line_bytes)});
  if (!sized || address % size != 0 || !inside) {
    throw std::invalid_argument(
        fmt::format("no word of {} bytes can lie at address {}", size, address));
  }
  return {LineId{static_cast<std::uint32_t>(address / line_bytes)},
          static_cast<std::uint8_t>(address % line_bytes), static_cast<std::uint8_t>(size)};
}

Machine::Owner Coherence::owner(LineId id) const {
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), id.value,
                                      [](std::uint32_t line, const Allocation& allocation) {
                                        return line < allocation.first_line;
                                      });
  const Allocation& allocation = *(after - 1);
  return {allocation.label, Bytes{id.value - allocation.first_line} * description().line_bytes};
}

char Coherence::state(CoreId core, const Line& line) const {
  if (has_exclusive(core, line)) return line.dirty ? 'M' : 'E';
  if (!has_copy(core, line)) return 'I';
  const Core& place = cores_[core.value];
  const Desk* desk = line.desks[place.slot];
  if (desk->forwarder != static_cast<std::int32_t>(place.child)) return 'S';
  if (description().protocol == Protocol::kMoesi) return 'O';
  return description().protocol == Protocol::kMesif ? 'F' : 'S';
}

void Coherence::check_single_writer() const {
  for (const Line& line : line_storage_) {
    if (line.exclusive_core < 0 || !line.desks) continue;
    for (std::uint32_t slot = 0; slot <= legs_.agents(); ++slot) {
      const Desk* desk = line.desks[slot];
      if (desk == nullptr || desk->copies.empty()) continue;
      throw std::logic_error(
          fmt::format("line {}: core {} holds it exclusive while others have copies at {} ps",
                      line.id.value, line.exclusive_core, simulator_.now().ps()));
    }
  }
}

}  // namespace hotline::machine
