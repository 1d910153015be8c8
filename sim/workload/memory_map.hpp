#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/model/model.hpp"
#include "sim/model/site.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/run.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// One lock, counter or reference of the run, on lines of its own or inside a struct.
struct Part {
  std::unique_ptr<model::Site> site;
  std::unique_ptr<model::Model> model;
  model::Lock* lock = nullptr;  ///< null if the model is none
  model::ReadWriteLock* read_write = nullptr;
  model::SequenceLock* sequence = nullptr;
  model::ConditionVariable* condition = nullptr;
  model::Counter* counter = nullptr;
  model::Rcu* rcu = nullptr;
  model::Reference* reference = nullptr;
  LockId lock_id;
  bool sleeps = false;  ///< a waiter for the lock may block

  // Who has the lock, as the program sees it: from acquired to the beginning of the release.
  std::optional<ThreadId> holder;
  std::uint32_t acquiring = 0;  ///< threads between acquire_began and acquired
  std::uint64_t acquisitions = 0;
  // The same of readers that keep writers out; those of a sequence lock do not.
  std::uint32_t readers = 0;
  std::uint32_t readers_acquiring = 0;
  std::uint64_t read_acquisitions = 0;

  /// Whether whoever begins to acquire now may have to wait for another thread.
  bool is_busy(bool for_reader) const {
    if (for_reader && sequence != nullptr) return holder.has_value();
    const bool for_writers = holder.has_value() || acquiring > 0;
    return for_writers || (!for_reader && (readers > 0 || readers_acquiring > 0));
  }
  /// How often somebody has got in whom a reader (or a writer) must wait for.
  std::uint64_t entries(bool for_reader) const {
    return for_reader ? acquisitions : acquisitions + read_acquisitions;
  }
};

/// The objects of a run in simulated memory: where every instance lies, and its models.
class MemoryMap {
 public:
  /// Allocates every object and builds its models. Throws input::InputError.
  MemoryMap(const Scenario& scenario, machine::Machine& machine, os::Scheduler& scheduler);

  std::uint32_t instances(std::uint32_t object) const {
    return static_cast<std::uint32_t>(objects_[object].bases.size());
  }
  /// The first byte of an instance of a struct.
  machine::Address base(std::uint32_t object, std::uint32_t instance) const {
    return objects_[object].bases[instance];
  }
  /// A plain word at a place in an instance of a struct.
  machine::Word word(std::uint32_t object, std::uint32_t instance, machine::Bytes offset,
                     std::uint8_t size) const {
    const machine::Address address = objects_[object].bases[instance] + offset;
    return {{static_cast<std::uint32_t>(address >> line_shift_)},
            static_cast<std::uint8_t>(address & line_mask_),
            size};
  }
  machine::Bytes line_bytes() const { return line_mask_ + 1; }

  /// The lock or counter that an object is (`field` is kNone) or has as a field.
  Part& part(std::uint32_t object, std::uint32_t instance, std::uint32_t field) {
    const Object& found = objects_[object];
    const std::uint32_t slot = field == kNone ? 0 : found.slot_of_field[field];
    return parts_[found.first_part + instance * found.parts_per_instance + slot];
  }

  const std::vector<LockInfo>& locks() const { return locks_; }
  const std::vector<CounterInfo>& counters() const { return counters_; }
  const Part& counter(std::size_t index) const { return parts_[counter_parts_[index]]; }
  const std::vector<WordName>& words() const { return words_; }

 private:
  struct Object {
    std::vector<machine::Address> bases;
    std::uint32_t first_part = 0;
    std::uint32_t parts_per_instance = 0;
    std::vector<std::uint32_t> slot_of_field;
  };

  /// Of a part: its own, and that of all its fellows in other instances.
  struct PartNames {
    std::string name;
    std::string group;
  };

  machine::NodeId home(const ObjectSpec& spec, std::uint32_t instance) const;
  void add_object(const ObjectSpec& spec);
  void add_instance(const ObjectSpec& spec, std::uint32_t instance, Object& object);
  void add_words(const ObjectSpec& spec, const FieldSpec& field, const std::string& name,
                 machine::Address base);
  void add_part(const ObjectSpec& spec, const ModelUse& use, const PartNames& names,
                model::Site::Place place);
  void check_overlaps(const ObjectSpec& spec, std::size_t first_word) const;

  const Scenario& scenario_;
  machine::Machine& machine_;
  std::uint32_t line_shift_ = 6;
  machine::Address line_mask_ = 63;
  std::vector<machine::CpuId> thread_cpus_;
  std::shared_ptr<model::Commons> commons_;
  std::vector<Object> objects_;
  std::vector<Part> parts_;
  std::vector<LockInfo> locks_;
  std::vector<CounterInfo> counters_;
  std::vector<std::size_t> counter_parts_;
  std::vector<WordName> words_;
};

}  // namespace hotline::workload
