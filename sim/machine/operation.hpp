#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/machine/types.hpp"

namespace hotline::machine {

enum class Op : std::uint8_t {
  kLoad,
  kStore,
  kAdd,  ///< a locked add whose result nobody uses: may be executed far and need not wait
  kFetchAdd,
  kFetchAnd,
  kFetchOr,
  kExchange,
  kCompareExchange,
  kFence,
  kPrefetchRead,
  kPrefetchWrite,
  kSpin,  ///< repeated loads until a condition holds
};
inline constexpr std::size_t kOps = 12;

/// Whether the operation reads and writes its word in one.
constexpr bool is_locked(Op op) { return op >= Op::kAdd && op <= Op::kCompareExchange; }

/// The condition a spin loop waits for, on the masked value of the word.
struct Condition {
  enum class Kind : std::uint8_t { kEquals, kDiffers };
  Kind kind = Kind::kEquals;
  Value wanted = 0;
  Value mask = ~Value{0};

  constexpr bool holds(Value seen) const {
    return ((seen & mask) == wanted) == (kind == Kind::kEquals);
  }
};

constexpr Condition equals(Value wanted, Value mask = ~Value{0}) {
  return {Condition::Kind::kEquals, wanted, mask};
}
constexpr Condition differs(Value unwanted, Value mask = ~Value{0}) {
  return {Condition::Kind::kDiffers, unwanted, mask};
}

/// One memory operation as a thread asks for it.
struct Access {
  Op op = Op::kLoad;
  Word word;
  Value operand = 0;   ///< stored, added, or-ed, exchanged
  Value expected = 0;  ///< compare_exchange only
};

/// What a word that holds `seen` holds after the operation.
constexpr Value written_value(const Access& access, Value seen) {
  switch (access.op) {
    case Op::kStore:
    case Op::kExchange:
      return access.operand;
    case Op::kAdd:
    case Op::kFetchAdd:
      return seen + access.operand;
    case Op::kFetchAnd:
      return seen & access.operand;
    case Op::kFetchOr:
      return seen | access.operand;
    case Op::kCompareExchange:
      return seen == access.expected ? access.operand : seen;
    case Op::kLoad:
    case Op::kFence:
    case Op::kPrefetchRead:
    case Op::kPrefetchWrite:
    case Op::kSpin:
      break;
  }
  return seen;
}

}  // namespace hotline::machine
