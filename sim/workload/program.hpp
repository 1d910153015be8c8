#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/node.hpp"
#include "sim/machine/operation.hpp"
#include "sim/workload/expression.hpp"

/// A program as the interpreter runs it: the steps of a workload file, flattened to a list of
/// instructions with jumps. Plain data without any trace of YAML but positions for messages.
namespace hotline::workload {

/// An index that stands for "none".
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

enum class Action : std::uint8_t {
  // These cost no simulated time.
  kJump,    ///< to `target`
  kBranch,  ///< to `target` if expression `first` is 0
  kLoop,    ///< begins a counted loop of `first` rounds; to `target` if that is none
  kNext,    ///< ends a round: to `target` while rounds are left
  kUntil,   ///< ends a round: to `target` while expression `first` is 0
  kChoose,  ///< to one of choices[target], by weight
  kEvery,   ///< to `target` unless this is the `first`-th pass (`second`: the phase)
  kSet,     ///< variable `into` = expression `first`
  kCount,   ///< work `index` += expression `first`
  kEnter,   ///< function `index`
  kLeave,
  kPrepareToBlock,
  kEnd,
  // These suspend the thread.
  kCompute,      ///< for expression `first`
  kStall,        ///< for expression `first`, which a busy SMT sibling does not lengthen
  kUniform,      ///< for a random time from `first` to `second`
  kExponential,  ///< for a random time with mean `first`
  kAcquire,      ///< lock `reference`; call site `index`
  kRelease,
  kAcquireRead,  ///< as a reader
  kReleaseRead,  ///< to `target` if a writer came between: the section is read again
  kCondWait,     ///< on `reference` with lock `second`; call site `index`
  kCondSignal,   ///< one waiter of `reference`, or with `flag` all
  kAdd,          ///< `first` to counter `reference`
  kAddLocal,
  kRead,  ///< counter `reference` to variable `into` (or kNone)
  kSum,
  kGet,      ///< a use of reference `reference`
  kTryGet,   ///< the same unless it has none; whether so to variable `into` (or kNone)
  kPut,      ///< the use given back; whether it was the last to `into`
  kKill,     ///< the owner's, likewise
  kQuery,    ///< whether `reference` has users to `into`
  kOperate,  ///< memory operation `op` on word `reference`; operand `first`, expected `second`
  kSpin,     ///< until word `reference` equals (or, with `flag`, differs from) `first`
  kTouch,    ///< `first` lines from `reference` on; `op` is a load or a store
  kScan,     ///< the first `first` instances of `reference`, `second` lines each
  kFence,
  kRcuLock,      ///< begins a section of domain `reference`
  kRcuUnlock,    ///< ends the innermost section
  kSynchronize,  ///< waits for a grace period of `reference`; with `flag` an expedited one
  kCallRcu,      ///< has what follows done after one, and goes on at `target`; `flag`: only frees
  kWaitFor,      ///< until event `index` has been signalled `first` times
  kWaitUntil,    ///< until simulated time `first`
  kSleep,        ///< for expression `first`
  kBlock,
  kWake,  ///< thread number `first`
  kYield,
  kCondResched,
  kKernel,  ///< into the kernel (`flag`) or back to user mode
  kSignal,  ///< event `index`, expression `first` times
};

/// What a step says about an object: `queue[thread % 2].slots[index]`.
struct Reference {
  std::uint32_t object = 0;
  std::uint32_t instance = kNone;  ///< expression; kNone: the one, or the thread's own
  std::uint32_t field = kNone;     ///< kNone: the whole object
  std::uint32_t element = kNone;   ///< expression
};

struct Instruction {
  Action action = Action::kEnd;
  machine::Op op = machine::Op::kLoad;
  bool flag = false;   ///< kSpin: ends when the value differs
  bool tight = false;  ///< kSpin: without pause
  std::uint32_t target = kNone;
  std::uint32_t reference = kNone;
  std::uint32_t first = kNone;
  std::uint32_t second = kNone;
  std::uint32_t into = kNone;
  std::uint32_t index = kNone;
};

/// One of several ways to go on.
struct Choice {
  std::uint64_t weight = 1;
  std::uint32_t target = 0;
};

struct Program {
  std::vector<Instruction> code;           ///< ends with kEnd
  std::vector<input::Position> positions;  ///< of the step behind each instruction
  std::vector<Expression> expressions;
  std::vector<Reference> references;
  std::vector<std::vector<Choice>> choices;
  std::uint32_t loops = 0;  ///< deepest nesting of counted loops
  std::uint32_t every = 0;  ///< number of kEvery instructions
};

/// A step that acquires: where it stands, for lock tables.
struct CallSite {
  std::string name;  ///< the function around it, or the group of threads
  input::Position position;
  bool reads = false;  ///< as a reader
  /// Where the call came from that is to blame: the function around the step, or, while that is
  /// nothing but the step (`_raw_spin_lock`), its caller.
  std::string point;
};

/// What the indices of instructions stand for; shared by all programs of a scenario.
struct Names {
  std::vector<std::string> works;
  /// By function id: one for each way into a function, so that a profile knows the callers.
  std::vector<std::string> functions;
  std::vector<std::uint32_t> callers;  ///< by function id: who called it; kNone: the program itself
  std::vector<std::string> events;
  std::vector<CallSite> call_sites;
  Scope scope;  ///< all variables, built-in ones first
};

/// The built-in variables, in the order of their slots.
enum class BuiltIn : std::uint32_t {
  kThread,   ///< number of the thread in the run, from 0
  kThreads,  ///< how many there are
  kMember,   ///< number of the thread in its group, from 0
  kCpu,
  kNode,
  kCpus,  ///< of the machine
  kNodes,
  kIndex,  ///< of the innermost counted loop, from 0
};
inline constexpr std::uint32_t kBuiltIns = 8;

}  // namespace hotline::workload
