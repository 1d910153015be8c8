#include "sim/workload/object_reader.hpp"

#include <algorithm>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/workload/model_reader.hpp"

namespace hotline::workload {
namespace {

using input::ByteCount;
using input::MapReader;
using input::Value;

constexpr Bytes kLargestStruct = Bytes{16} << 20U;
constexpr Bytes kLargestObject = Bytes{256} << 20U;
constexpr std::int64_t kMostInstances = 1'000'000;
constexpr std::uint32_t kMostModels = 100'000;

constexpr Bytes round_up(Bytes value, Bytes to) { return (value + to - 1) / to * to; }

/// Reads one object; a class only so that its parts share what they need.
class ObjectReader {
 public:
  ObjectReader(std::string_view name, const ObjectContext& context) : context_(context) {
    spec_.name = name;
  }

  ObjectSpec read(const Value& value) {
    if (!value.is_dry()) spec_.position = value.place().position;
    value.map([&](MapReader& map) {
      spec_.model = read_model(map, context_.models);
      map.value("count", "how many instances: a number, per_thread, per_cpu or per_node",
                [&](const Value& count) { read_instances(count); });
      read_placement(map);
      const auto size = map.find("size", input::bytes(ByteCount{1}, ByteCount{kLargestStruct}),
                                 "of a struct; without it, up to the end of the last field");
      map.value("fields", "of a struct, in order", [&](const Value& fields) {
        fields.entries([&](std::string_view name, const Value& field) { read_field(name, field); });
      });
      finish(map, size);
    });
    return std::move(spec_);
  }

 private:
  std::uint32_t nodes() const {
    return context_.topology == nullptr ? 1 : context_.topology->nodes();
  }

  void read_instances(const Value& value) {
    struct Row {
      std::string_view spelling;
      Instances instances;
      std::uint32_t count;
    };
    const std::uint32_t cpus = context_.topology == nullptr ? 1 : context_.topology->cpus();
    const Row rows[] = {{"per_thread", Instances::kPerThread, context_.threads},
                        {"per_cpu", Instances::kPerCpu, cpus},
                        {"per_node", Instances::kPerNode, nodes()}};
    for (const Row& row : rows) {
      if (value.is_dry() || value.node()->text != row.spelling) continue;
      spec_.instances = row.instances;
      spec_.count = row.count;
      return;
    }
    const auto count = read_count(value, context_.scope, context_.values, 1, kMostInstances);
    spec_.count = static_cast<std::uint32_t>(count.value_or(1));
    spec_.instances = Instances::kNumber;
  }

  void read_placement(MapReader& map) {
    const bool own = spec_.instances != Instances::kOne && spec_.instances != Instances::kNumber;
    spec_.placement = own ? Placement::kLocal : Placement::kNode;
    map.value("node", "where its memory is: a NUMA node, interleave, or local",
              [&](const Value& v) {
                if (!v.is_dry() && v.node()->text == "interleave") {
                  spec_.placement = Placement::kInterleave;
                } else if (!v.is_dry() && v.node()->text == "local") {
                  if (!own) v.error("local needs a count per_thread, per_cpu or per_node");
                } else {
                  const auto node = read_count(v, context_.scope, context_.values, 0, nodes() - 1);
                  spec_.placement = Placement::kNode;
                  spec_.node = static_cast<std::uint32_t>(node.value_or(0));
                }
              });
  }

  void read_field(std::string_view name, const Value& value) {
    check_name(name, value, "a field");
    FieldSpec field;
    field.name = name;
    value.map([&](MapReader& map) {
      const auto at = map.find("at", input::bytes({}, ByteCount{kLargestStruct}),
                               "from the start of the struct; without it, behind the last field");
      read_word(map, field);
      field.model = read_model(map, context_.models);
      if (!at && after_model_ && !map.is_dry()) {
        value.error("stands behind a lock or counter; say where with \"at\"");
      }
      field.at = at ? at->bytes : round_up(end_, field.size);
      check_field(value, field);
    });
    after_model_ = field.model.has_value();
    end_ = field.at + (field.count - 1) * field.stride + field.size;
    largest_ = std::max(largest_, end_);
    if (!value.is_dry()) spec_.fields.push_back(std::move(field));
  }

  void read_word(MapReader& map, FieldSpec& field) {
    const auto size = map.get("size", input::bytes(ByteCount{1}, ByteCount{8}), ByteCount{8},
                              "of one word: 1B, 2B, 4B or 8B");
    if (size.bytes == 3 || (size.bytes > 4 && size.bytes < 8)) {
      map.error_at("size", "a word has 1B, 2B, 4B or 8B");
    } else {
      field.size = static_cast<std::uint8_t>(size.bytes);
    }
    map.value("count", "how many words: an array", [&](const Value& count) {
      const auto found = read_count(count, context_.scope, context_.values, 1, kMostInstances);
      field.count = static_cast<std::uint32_t>(found.value_or(1));
    });
    const auto stride = map.find("stride", input::bytes(ByteCount{1}, ByteCount{kLargestStruct}),
                                 "from one word of the array to the next");
    field.stride = stride ? stride->bytes : field.size;
    const auto initial = map.find("initial", input::integer<std::int64_t>(), "before the run");
    field.initial = static_cast<std::uint64_t>(initial.value_or(0));
  }

  void check_field(const Value& value, const FieldSpec& field) {
    if (value.is_dry()) return;
    if (field.model) {
      if (field.count != 1) value.error("a lock or counter cannot be an array of words");
      return;
    }
    if (field.at % field.size != 0) {
      value.error("lies at " + std::to_string(field.at) + ", which is no multiple of its size of " +
                  std::to_string(field.size) + " bytes");
    }
    if (field.stride < field.size || field.stride % field.size != 0) {
      value.error("its stride must be a multiple of its size of " + std::to_string(field.size) +
                  " bytes");
    }
    for (const FieldSpec& other : spec_.fields) {
      if (other.model || !overlap(field, other)) continue;
      value.error("overlaps with the field \"" + other.name + "\"");
    }
  }

  static bool overlap(const FieldSpec& a, const FieldSpec& b) {
    const auto end = [](const FieldSpec& f) { return f.at + (f.count - 1) * f.stride + f.size; };
    const bool interleaved = a.count > 1 || b.count > 1;  // arrays may interleave on purpose
    return !interleaved && a.at < end(b) && b.at < end(a);
  }

  void finish(MapReader& map, const std::optional<ByteCount>& size) {
    if (map.is_dry()) return;
    const bool has_struct = size.has_value() || map.has("fields");
    if (spec_.model && has_struct) {
      map.error_at("model", "an object is a model or a struct; give a field the model instead");
    }
    if (!spec_.model && !map.has("model") && !has_struct) {
      map.whole().error("is neither a model nor a struct; give it a model, fields or a size");
    }
    spec_.size = size ? size->bytes : std::max<Bytes>(largest_, 1);
    if (largest_ > spec_.size) {
      map.error_at("size", "the fields need " + std::to_string(largest_) + " bytes");
    }
    if (spec_.size > kLargestStruct || spec_.size * spec_.count > kLargestObject) {
      map.whole().error("is larger than the 256 MiB that an object may have");
    }
    const bool models = spec_.model || std::any_of(spec_.fields.begin(), spec_.fields.end(),
                                                   [](const FieldSpec& f) { return f.model; });
    if (models && spec_.count > kMostModels) {
      map.whole().error("has more than the 100000 locks or counters that an object may have");
    }
  }

  const ObjectContext& context_;
  ObjectSpec spec_;
  Bytes end_ = 0;
  Bytes largest_ = 0;
  bool after_model_ = false;
};

}  // namespace

ObjectSpec read_object(std::string_view name, const Value& value, const ObjectContext& context) {
  return ObjectReader(name, context).read(value);
}

std::optional<std::int64_t> read_count(const Value& value, const Scope& scope,
                                       std::span<const std::int64_t> values, std::int64_t least,
                                       std::int64_t most) {
  const auto formula = value.as(number(scope));
  if (!formula) return std::nullopt;
  engine::Random random(0, "counts");
  try {
    const std::int64_t found = formula->evaluate(values, random);
    if (found >= least && found <= most) return found;
    value.error("\"" + value.node()->text + "\" is " + std::to_string(found) +
                "; expected a number from " + std::to_string(least) + " to " +
                std::to_string(most));
  } catch (const ExpressionError& error) {
    value.error(error.what());
  }
  return std::nullopt;
}

bool check_name(std::string_view name, const Value& value, std::string_view what) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto other = [](char c) { return (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  const bool good =
      !name.empty() && name.size() <= 80 && (letter(name.front()) || name.front() == '_') &&
      std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || other(c); });
  if (!good) {
    value.error("\"" + std::string(name) + "\" cannot name " + std::string(what) +
                "; use letters, digits, - and _, a letter or _ first");
  }
  return good;
}

}  // namespace hotline::workload
