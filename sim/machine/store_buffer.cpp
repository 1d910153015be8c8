#include "sim/machine/store_buffer.hpp"

namespace hotline::machine {

StoreBuffer::Match StoreBuffer::find(Word word, Value& value) const {
  for (std::size_t i = entries_.size(); i > head_; --i) {
    const Entry& entry = entries_[i - 1];
    const Word& stored = entry.word;
    if (stored.line != word.line || stored.offset >= word.offset + word.size ||
        word.offset >= stored.offset + stored.size) {
      continue;
    }
    const bool covers =
        stored.offset <= word.offset && stored.offset + stored.size >= word.offset + word.size;
    if (!covers || entry.far_add) return Match::kPartial;
    const unsigned skipped_bits = (word.offset - stored.offset) * 8U;
    const Value shifted = entry.value >> skipped_bits;
    value = word.size == 8 ? shifted : shifted & ((Value{1} << word.size * 8U) - 1);
    return Match::kForward;
  }
  return Match::kNone;
}

}  // namespace hotline::machine
