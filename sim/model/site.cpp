#include "sim/model/site.hpp"

#include <algorithm>
#include <utility>

namespace hotline::model {

namespace {

using machine::Address;
using machine::Bytes;
using machine::CpuId;
using machine::NodeId;
using machine::Word;

constexpr Address align(Address address, Bytes to) { return (address + to - 1) / to * to; }

constexpr Bytes bytes_of(unsigned bits) { return bits / 8; }

/// The size of a record as C would lay it out, so that packed records stay aligned.
Bytes size_of(Fields fields) {
  Bytes end = 0;
  Bytes widest = 1;
  for (const Field& field : fields) {
    const Bytes bytes = bytes_of(field.bits);
    end = align(end, bytes) + (field.overlay ? 0 : bytes);
    widest = std::max(widest, bytes);
  }
  return align(end, widest);
}

}  // namespace

Site::Site(machine::Machine& machine, Place place)
    : machine_(machine), place_(std::move(place)), next_(place_.at) {}

std::uint32_t Site::cpus() const { return machine_.topology().cpus(); }

std::uint32_t Site::nodes() const { return machine_.topology().nodes(); }

NodeId Site::node_of(CpuId cpu) const {
  const machine::Topology& topology = machine_.topology();
  return topology.node_of(topology.core_of(cpu));
}

Address Site::settle(Bytes bytes) {
  if (next_) next_ = align(*next_, bytes);
  if (!next_ || (end_ && *next_ + bytes > *end_)) {
    const Bytes line = machine_.line_bytes();
    next_ = machine_.allocate(line, place_.home, place_.name);
    end_ = *next_ + line;
  }
  return *next_;
}

Word Site::overlay(std::string_view field, unsigned bits) {
  const Bytes bytes = bytes_of(bits);
  const Word word = machine_.word(settle(bytes), static_cast<unsigned>(bytes));
  note(std::string(field), word);
  return word;
}

Word Site::word(std::string_view field, unsigned bits, machine::Value initial) {
  const Word word = overlay(field, bits);
  gap(bytes_of(bits));
  if (initial != 0) set(word, initial);
  return word;
}

void Site::note(const std::string& field, Word word) {
  named_.push_back({field, word});
  if (whole_ != nullptr) whole_->note(prefix_ + field, word);
}

void Site::gap(Bytes bytes) { next_ = settle(1) + bytes; }

void Site::new_line() {
  next_.reset();
  end_.reset();
}

void Site::add_records(Records& records, std::string_view name, Fields fields, NodeId home,
                       std::uint32_t packed) {
  const Bytes size = size_of(fields);
  const Address base =
      machine_.allocate(size * packed, home, place_.name + "." + std::string(name));
  records.fields_ = fields.size();
  for (std::uint32_t k = 0; k < packed; ++k) {
    const std::string prefix = std::string(name) + "[" + std::to_string(records.count()) + "].";
    Address next = base + size * k;
    for (const Field& field : fields) {
      const Bytes bytes = bytes_of(field.bits);
      next = align(next, bytes);
      records.words_.push_back(machine_.word(next, static_cast<unsigned>(bytes)));
      note(prefix + std::string(field.name), records.words_.back());
      if (!field.overlay) next += bytes;
    }
  }
}

Records Site::per_thread(std::string_view name, Fields fields) {
  Records records;
  for (const CpuId cpu : place_.thread_cpus) add_records(records, name, fields, node_of(cpu), 1);
  return records;
}

Records Site::per_cpu(std::string_view name, Fields fields) {
  Records records;
  for (std::uint32_t cpu = 0; cpu < cpus(); ++cpu) {
    add_records(records, name, fields, node_of({cpu}), 1);
  }
  return records;
}

Records Site::per_node(std::string_view name, Fields fields) {
  Records records;
  for (std::uint32_t node = 0; node < nodes(); ++node) {
    add_records(records, name, fields, {node}, 1);
  }
  return records;
}

std::shared_ptr<RecordStack> Site::per_cpu_stack(std::string_view name, Fields fields,
                                                 std::uint32_t a_cpu) {
  if (!place_.commons) place_.commons = std::make_shared<Commons>();
  std::shared_ptr<RecordStack>& stack = place_.commons->stacks[std::string(name)];
  if (!stack) {
    Records records;
    for (std::uint32_t cpu = 0; cpu < cpus(); ++cpu) {
      add_records(records, name, fields, node_of({cpu}), a_cpu);
    }
    stack = std::make_shared<RecordStack>(std::move(records), a_cpu);
  }
  return stack;
}

Records Site::array(std::string_view name, Fields fields, std::uint32_t count) {
  Records records;
  for (std::uint32_t k = 0; k < count; ++k) add_records(records, name, fields, place_.home, 1);
  return records;
}

std::shared_ptr<const Records> Site::common_table(std::string_view name, Fields fields,
                                                  std::uint32_t count) {
  if (!place_.commons) place_.commons = std::make_shared<Commons>();
  std::shared_ptr<const Records>& table = place_.commons->tables[std::string(name)];
  if (!table) {
    Records records;
    add_records(records, name, fields, place_.home, count);
    table = std::make_shared<const Records>(std::move(records));
  }
  return table;
}

std::shared_ptr<const Records> Site::common_per_thread(std::string_view name, Fields fields) {
  if (!place_.commons) place_.commons = std::make_shared<Commons>();
  std::shared_ptr<const Records>& table = place_.commons->tables[std::string(name)];
  if (!table) table = std::make_shared<const Records>(per_thread(name, fields));
  return table;
}

Site& Site::part(std::string_view name, NodeId home) {
  if (!place_.commons) place_.commons = std::make_shared<Commons>();
  Place place = place_;
  place.name += "." + std::string(name);
  place.home = home;
  place.at.reset();
  parts_.push_back(std::make_unique<Site>(machine_, std::move(place)));
  parts_.back()->whole_ = this;
  parts_.back()->prefix_ = std::string(name) + ".";
  return *parts_.back();
}

void Site::set(Word word, machine::Value value) { machine_.poke(word, value); }

}  // namespace hotline::model
