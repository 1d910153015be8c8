#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/input/reader.hpp"
#include "sim/workload/program_builder.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::model {
class Catalog;
}

namespace hotline::workload {

/// What the readers of a scenario's steps share.
struct StepContext {
  Scenario& scenario;  ///< machine, variables and objects are read already; names grow
  std::map<std::string, const input::Node*, std::less<>> functions;  ///< the file's own
  std::set<std::string, std::less<>> called;                         ///< of these
  std::map<std::string, input::Place, std::less<>> waited_for;       ///< events, first use
  std::map<std::string, input::Place, std::less<>> signalled;
  bool loops_forever = false;              ///< some program has `repeat`
  const model::Catalog* models = nullptr;  ///< not in a dry reading
};

/// What a step needs to find where it points.
enum class Want : std::uint8_t {
  kLock,
  kReadWriteLock,  ///< whose readers hold it
  kSharedLock,     ///< that, or one whose readers may have to repeat themselves
  kCounter,
  kReference,
  kCondition,
  kRcu,
  kWord,
  kCounterOrWord,
  kPlace,  ///< a struct, or a plain field of one
  kList,   ///< a struct with all its instances
};

/// Reads `object`, `object[instance]`, `object.field[element]` and so on. Nothing, and a message,
/// if it does not exist or is not what is wanted.
std::optional<Reference> read_reference(const input::Value& value, Want want,
                                        const StepContext& context, ProgramBuilder& builder);

}  // namespace hotline::workload
