#include "sim/workload/memory_map.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "sim/input/diagnostics.hpp"
#include "sim/os/scheduler.hpp"

namespace hotline::workload {
namespace {

[[noreturn]] void fail(const Scenario& scenario, const ObjectSpec& spec, const std::string& what) {
  input::Diagnostics diagnostics;
  diagnostics.error({scenario.file, spec.position, "objects." + spec.name}, what);
  throw input::InputError(std::move(diagnostics));
}

std::string instance_name(const ObjectSpec& spec, std::uint32_t instance) {
  if (spec.instances == Instances::kOne) return spec.name;
  return spec.name + "[" + std::to_string(instance) + "]";
}

std::vector<machine::CpuId> cpus_of_threads(const Scenario& scenario) {
  std::vector<machine::CpuId> cpus;
  for (const GroupSpec& group : scenario.groups) {
    cpus.insert(cpus.end(), group.cpus.begin(), group.cpus.end());
  }
  return cpus;
}

}  // namespace

MemoryMap::MemoryMap(const Scenario& scenario, machine::Machine& machine, os::Scheduler& scheduler)
    : scenario_(scenario),
      machine_(machine),
      line_shift_(static_cast<std::uint32_t>(std::countr_zero(machine.line_bytes()))),
      line_mask_(machine.line_bytes() - 1),
      thread_cpus_(cpus_of_threads(scenario)),
      commons_(std::make_shared<model::Commons>()) {
  commons_->scheduler = &scheduler;
  for (const ObjectSpec& spec : scenario.objects) add_object(spec);
  std::sort(words_.begin(), words_.end(),
            [](const WordName& a, const WordName& b) { return a.word < b.word; });
}

machine::NodeId MemoryMap::home(const ObjectSpec& spec, std::uint32_t instance) const {
  const machine::Topology& topology = machine_.topology();
  if (spec.placement == Placement::kNode) return {spec.node};
  if (spec.placement == Placement::kInterleave || spec.instances == Instances::kPerNode) {
    return {instance % topology.nodes()};
  }
  const bool per_cpu = spec.instances == Instances::kPerCpu;
  const machine::CpuId cpu = per_cpu ? machine::CpuId{instance} : thread_cpus_[instance];
  return topology.node_of(topology.core_of(cpu));
}

void MemoryMap::add_object(const ObjectSpec& spec) {
  Object object;
  object.first_part = static_cast<std::uint32_t>(parts_.size());
  for (const FieldSpec& field : spec.fields) {
    object.slot_of_field.push_back(object.parts_per_instance);
    if (field.model) ++object.parts_per_instance;
  }
  if (spec.model) object.parts_per_instance = 1;
  for (std::uint32_t instance = 0; instance < spec.count; ++instance) {
    try {
      add_instance(spec, instance, object);
    } catch (const std::invalid_argument& error) {  // a node without memory, a misaligned word
      fail(scenario_, spec, error.what());
    }
  }
  objects_.push_back(std::move(object));
}

void MemoryMap::add_instance(const ObjectSpec& spec, std::uint32_t instance, Object& object) {
  const std::string name = instance_name(spec, instance);
  const machine::NodeId node = home(spec, instance);
  if (spec.model) {
    object.bases.push_back(0);
    add_part(spec, *spec.model, {name, spec.name}, {name, node, {}, thread_cpus_, commons_});
    return;
  }
  const machine::Address base = machine_.allocate(spec.size, node, name);
  object.bases.push_back(base);
  const std::size_t first_word = words_.size();
  for (const FieldSpec& field : spec.fields) {
    const std::string field_name = name + "." + field.name;
    if (field.model) {
      add_part(spec, *field.model, {field_name, spec.name + "." + field.name},
               {field_name, node, base + field.at, thread_cpus_, commons_});
    } else {
      add_words(spec, field, field_name, base);
    }
  }
  check_overlaps(spec, first_word);
}

void MemoryMap::add_words(const ObjectSpec& spec, const FieldSpec& field, const std::string& name,
                          machine::Address base) {
  for (std::uint32_t k = 0; k < field.count; ++k) {
    const machine::Word word = machine_.word(base + field.at + k * field.stride, field.size);
    if (field.initial != 0) machine_.poke(word, field.initial);
    words_.push_back(
        {spec.name, field.count == 1 ? name : name + "[" + std::to_string(k) + "]", word});
  }
}

void MemoryMap::add_part(const ObjectSpec& spec, const ModelUse& use, const PartNames& names,
                         model::Site::Place place) {
  Part part;
  part.site = std::make_unique<model::Site>(machine_, std::move(place));
  model::ParamReader params(use.params);
  part.model = use.entry->make(*part.site, params);
  for (const model::ParamProblem& problem : params.problems()) {
    fail(scenario_, spec, names.name + ": " + problem.name + ": " + problem.message);
  }
  part.lock = part.model->lock();
  part.sleeps = use.entry->promises.sleeps;
  part.read_write = part.model->read_write_lock();
  part.sequence = part.model->sequence_lock();
  part.condition = part.model->condition_variable();
  part.counter = part.model->counter();
  part.rcu = part.model->rcu();
  if (part.rcu != nullptr && use.entry->promises.needs_ticks && commons_->kernel_rcu == nullptr &&
      commons_->scheduler->parameters().hz != 0) {
    commons_->kernel_rcu = part.rcu;
  }
  part.reference = part.model->reference();
  if (part.lock != nullptr) {
    part.lock_id = {static_cast<std::uint32_t>(locks_.size())};
    LockInfo info{names.name, use.name, names.group, model::has_readers(use.entry->kind)};
    if (!part.site->named_words().empty()) {
      const machine::Word first = part.site->named_words().front().word;
      info.address = (machine::Address{first.line.value} << line_shift_) + first.offset;
    }
    locks_.push_back(std::move(info));
  }
  if (part.counter != nullptr) {
    counter_parts_.push_back(parts_.size());
    counters_.push_back({names.name, use.name, names.group});
  }
  for (const model::NamedWord& word : part.site->named_words()) {
    words_.push_back({spec.name, names.name + "." + word.name, word.word});
  }
  parts_.push_back(std::move(part));
}

void MemoryMap::check_overlaps(const ObjectSpec& spec, std::size_t first_word) const {
  std::vector<WordName> fresh(words_.begin() + static_cast<std::ptrdiff_t>(first_word),
                              words_.end());
  std::sort(fresh.begin(), fresh.end(),
            [](const WordName& a, const WordName& b) { return a.word < b.word; });
  const auto part_of = [](const WordName& word) {
    return word.name.substr(0, word.name.rfind('.'));
  };
  for (std::size_t i = 1; i < fresh.size(); ++i) {
    const machine::Word before = fresh[i - 1].word;
    const machine::Word after = fresh[i].word;
    const bool overlap = before.line == after.line && before.offset + before.size > after.offset;
    // A model may lay several views of different width upon one word of its own.
    if (overlap && part_of(fresh[i - 1]) != part_of(fresh[i])) {
      fail(scenario_, spec,
           fresh[i].name + " overlaps with " + fresh[i - 1].name +
               "; move one of the fields with \"at\"");
    }
  }
}

}  // namespace hotline::workload
