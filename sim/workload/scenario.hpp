#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/time.hpp"
#include "sim/input/node.hpp"
#include "sim/machine/description.hpp"
#include "sim/model/model.hpp"
#include "sim/model/params.hpp"
#include "sim/os/parameters.hpp"
#include "sim/os/priority.hpp"
#include "sim/workload/program.hpp"

namespace hotline::model {
class Catalog;
}

/// A workload as it will run: one variant, with its overrides, checked, every default filled in and
/// every count a number. Plain data; Run is built from it.
namespace hotline::workload {

using engine::Duration;
using machine::Bytes;

/// A model of the catalogue with what the workload says about its parameters.
struct ModelUse {
  std::string name;
  const model::Entry* entry = nullptr;  ///< its row of the catalogue
  model::ParamValues params;
};

/// A field of a struct: a plain word, several of them, or an embedded lock or counter.
struct FieldSpec {
  std::string name;
  Bytes at = 0;             ///< from the start of the struct
  std::uint8_t size = 8;    ///< of one word: 1, 2, 4 or 8 bytes
  std::uint32_t count = 1;  ///< plain words only: an array
  Bytes stride = 8;         ///< from one word of the array to the next
  std::uint64_t initial = 0;
  std::optional<ModelUse> model;
};

/// How many instances an object has, and to which a step refers that does not say.
enum class Instances : std::uint8_t { kOne, kNumber, kPerThread, kPerCpu, kPerNode };

/// Where the lines of an object's instances live.
enum class Placement : std::uint8_t {
  kNode,        ///< all on one node
  kInterleave,  ///< instance by instance, round the nodes
  kLocal,       ///< per thread, CPU or node: on that thread's, CPU's or node's node
};

/// A struct with fields, or a lock or counter on lines of its own.
struct ObjectSpec {
  std::string name;
  Instances instances = Instances::kOne;
  std::uint32_t count = 1;
  Placement placement = Placement::kNode;
  std::uint32_t node = 0;
  Bytes size = 64;
  std::optional<ModelUse> model;  ///< a lock or counter: no fields then
  std::vector<FieldSpec> fields;
  input::Position position;  ///< of its key, for messages
};

/// Threads that run the same program, or each its own recorded trace.
struct GroupSpec {
  std::string name;
  std::vector<machine::CpuId> cpus;        ///< one a thread: where it starts
  std::vector<machine::CpuId> candidates;  ///< if not empty: each run draws `cpus` from these
  /// Where each thread may run: empty for its own CPU alone.
  std::vector<machine::CpuId> allowed;
  os::Priority priority;
  bool in_kernel = false;         ///< runs in the kernel from the start
  std::vector<Program> programs;  ///< one for all threads, or one a thread
};

struct MeasureSpec {
  Duration warm_up;
  bool finds_warm_up = false;        ///< `auto`: whoever runs it finds out how long it must be
  std::optional<Duration> duration;  ///< without it the run lasts until every program has ended
  /// A run in which no work is counted for so long has hung.
  Duration hang_after = Duration::from_ps(10'000'000'000'000);
  std::uint32_t replications = 5;
  std::uint64_t seed = 1;
};

struct Scenario {
  std::string workload;  ///< the workload's name
  std::string file;      ///< for messages
  std::string variant;
  machine::Description machine;
  std::optional<os::Parameters> os;  ///< without it, an ideal operating system
  std::uint32_t threads = 0;
  std::vector<ObjectSpec> objects;
  std::vector<GroupSpec> groups;
  std::vector<std::int64_t> variables;  ///< initial values of the user's variables, by slot
  Names names;
  MeasureSpec measure;
  std::shared_ptr<const model::Catalog> models;  ///< keeps the rows that the objects point at
};

/// Whether a reference leads to a lock or counter rather than to plain memory.
bool is_part(const Reference& reference, const Scenario& scenario);

}  // namespace hotline::workload
