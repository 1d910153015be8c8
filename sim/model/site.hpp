#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/types.hpp"

namespace hotline::os {
class Scheduler;
}

namespace hotline::model {

class Rcu;  // sim/model/rcu.hpp

/// A field of a record: name and width in bits (8, 16, 32, 64), naturally aligned.
struct Field {
  std::string_view name;
  unsigned bits = 64;
  bool overlay = false;  ///< a wider view of the fields that follow: takes no room
};
using Fields = std::initializer_list<Field>;

/// Records of the same shape, each on a line (or lines) of its own.
class Records {
 public:
  machine::Word word(std::uint64_t record, std::size_t field) const {
    return words_[record * fields_ + field];
  }
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(fields_ == 0 ? 0 : words_.size() / fields_);
  }

 private:
  friend class Site;
  std::size_t fields_ = 0;
  std::vector<machine::Word> words_;
};

/// A few records a CPU, packed on that CPU's lines, of which all instances of a run take one for as
/// long as they need it: the kernel's per-CPU queue nodes, one for each context that can interrupt
/// another.
class RecordStack {
 public:
  RecordStack(Records records, std::uint32_t a_cpu)
      : records_(std::move(records)), a_cpu_(a_cpu), taken_(records_.count(), false) {}

  /// The CPU's first free record, or nothing if all are taken.
  std::optional<std::uint64_t> take(machine::CpuId cpu) {
    const std::uint64_t first = std::uint64_t{cpu.value} * a_cpu_;
    for (std::uint64_t record = first; record < first + a_cpu_; ++record) {
      if (taken_[record]) continue;
      taken_[record] = true;
      return record;
    }
    return std::nullopt;
  }
  void give_back(std::uint64_t record) { taken_[record] = false; }

  machine::Word word(std::uint64_t record, std::size_t field) const {
    return records_.word(record, field);
  }

 private:
  Records records_;
  std::uint32_t a_cpu_;
  std::vector<bool> taken_;
};

/// What the instances of one run share, by name.
struct Commons {
  os::Scheduler* scheduler = nullptr;  ///< of the run; null where a model is only looked at
  Rcu* kernel_rcu = nullptr;           ///< of the run, if there is one and its grace periods end
  std::map<std::string, std::shared_ptr<RecordStack>, std::less<>> stacks;
  std::map<std::string, std::shared_ptr<const Records>, std::less<>> tables;
  std::map<std::string, std::shared_ptr<void>, std::less<>> others;
};

/// A named word or record field, so that reports can say which field of which object is hot.
struct NamedWord {
  std::string name;
  machine::Word word;
};

/// Where one instance of a model lies in simulated memory, and the facts it may build on. Words are
/// laid out in the order they are asked for, naturally aligned, on the instance's own line unless
/// the workload has placed it inside another object.
class Site {
 public:
  struct Place {
    std::string name;                         ///< of the instance, for reports
    machine::NodeId home;                     ///< of its shared lines
    std::optional<machine::Address> at;       ///< inside another object, else lines of its own
    std::vector<machine::CpuId> thread_cpus;  ///< the CPU of each thread of the run
    std::shared_ptr<Commons> commons;         ///< of the run; null: this instance's alone
  };

  Site(machine::Machine& machine, Place place);
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  ~Site() = default;

  std::uint32_t threads() const { return static_cast<std::uint32_t>(place_.thread_cpus.size()); }
  std::uint32_t cpus() const;
  /// The run's operating system, or null where a model is only looked at.
  os::Scheduler* scheduler() const {
    return place_.commons == nullptr ? nullptr : place_.commons->scheduler;
  }
  /// The kernel's RCU, which is known when all objects of the run are built: for models whose row
  /// says that they use it. Null in runs whose operating system does not tick.
  Rcu* kernel_rcu() const {
    return place_.commons == nullptr ? nullptr : place_.commons->kernel_rcu;
  }
  std::uint32_t nodes() const;
  machine::NodeId home() const { return place_.home; }
  machine::NodeId node_of(machine::CpuId cpu) const;

  /// The next word of the shared part, naturally aligned; starts at `initial`. Throws
  /// std::invalid_argument if the object the instance was placed in ends before it.
  machine::Word word(std::string_view field, unsigned bits = 64, machine::Value initial = 0);
  /// A wider view of the words asked for next: takes up no room, but aligns them.
  machine::Word overlay(std::string_view field, unsigned bits);
  /// Leaves room for fields that no operation touches.
  void gap(machine::Bytes bytes);
  /// Lets the next word begin on a line of its own.
  void new_line();
  /// A record for each thread (or CPU), on lines of its own, homed on the node it runs on.
  Records per_thread(std::string_view name, Fields fields);
  Records per_cpu(std::string_view name, Fields fields);
  /// A record for each NUMA node, on lines of its own, homed there.
  Records per_node(std::string_view name, Fields fields);
  /// `a_cpu` records for each CPU, packed on lines of its own: one stack of that name a run.
  std::shared_ptr<RecordStack> per_cpu_stack(std::string_view name, Fields fields,
                                             std::uint32_t a_cpu);
  /// `count` records on lines of their own, homed where the instance is.
  Records array(std::string_view name, Fields fields, std::uint32_t count);
  /// `count` packed records that all instances of a run share: one table of that name a run, of the
  /// size that its first user asked for.
  std::shared_ptr<const Records> common_table(std::string_view name, Fields fields,
                                              std::uint32_t count);
  /// A record for each thread as per_thread() gives it, but one a run, which all instances share.
  std::shared_ptr<const Records> common_per_thread(std::string_view name, Fields fields);
  /// What models of a run keep together besides memory: one T of that name a run, made with the
  /// site that asked first, which must outlive the others.
  template <class T>
  std::shared_ptr<T> common(std::string_view name) {
    if (!place_.commons) place_.commons = std::make_shared<Commons>();
    std::shared_ptr<void>& found = place_.commons->others[std::string(name)];
    if (!found) found = std::make_shared<T>(*this);
    return std::static_pointer_cast<T>(found);
  }
  /// A place for a model that is part of this one, on lines of its own at `home`; lives as long as
  /// this site, which names its words "name.field".
  Site& part(std::string_view name, machine::NodeId home);

  /// Sets a word before the run starts.
  void set(machine::Word word, machine::Value value);
  /// Reads a word without simulating it: for total() of a counter.
  machine::Value peek(machine::Word word) const { return machine_.peek(word); }
  const machine::Machine& memory() const { return machine_; }

  /// All words handed out so far, named "field" or "record[7].field".
  const std::vector<NamedWord>& named_words() const { return named_; }

 private:
  /// Moves `next_` to where a word of `bytes` can lie, on a new line if it must.
  machine::Address settle(machine::Bytes bytes);
  void add_records(Records& records, std::string_view name, Fields fields, machine::NodeId home,
                   std::uint32_t packed);
  /// Names a word, here and in the sites that this one is part of.
  void note(const std::string& field, machine::Word word);

  machine::Machine& machine_;
  Place place_;
  Site* whole_ = nullptr;  // that this is part of
  std::string prefix_;     // of its words' names there
  std::vector<std::unique_ptr<Site>> parts_;
  std::optional<machine::Address> next_;  // where the shared part goes on
  std::optional<machine::Address> end_;   // of the line allocated for it; none inside an object
  std::vector<NamedWord> named_;
};

}  // namespace hotline::model
