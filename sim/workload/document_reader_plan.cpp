#include <algorithm>

#include "sim/input/types.hpp"
#include "sim/workload/document_reader.hpp"
#include "sim/workload/object_reader.hpp"

// What to do with a workload: its variants, its points, and what was published about it.
namespace hotline::workload {

using input::MapReader;
using input::Value;

std::vector<Change> read_changes(MapReader& map, std::string_view key,
                                 std::string_view description) {
  std::vector<Change> changes;
  map.value(key, description, [&](const Value& value) {
    value.entries([&](std::string_view path, const Value& change) {
      if (!change.is_dry()) changes.push_back({std::string(path), *change.node()});
    });
  });
  return changes;
}

void DocumentReader::read_variants(MapReader& map) {
  map.value("variants", "changes to the base by name: the patches to compare", [&](const Value& v) {
    v.entries(
        [&](std::string_view name, const Value& value) {
          check_name(name, value, "a variant");
          Variant variant;
          variant.name = name;
          value.map([&](MapReader& inside) {
            variant.description =
                inside.get("description", input::text(), "", "what it is, for people");
            variant.hangs = inside.get("hangs", input::boolean(), false,
                                       "it is there to hang: run alone, not compared");
            variant.changes = read_changes(inside, "set", "what stands at a path becomes a value");
          });
          document_.variants.push_back(std::move(variant));
        },
        {1, 100});
  });
}

namespace {

std::vector<std::uint32_t> read_thread_counts(MapReader& point) {
  std::vector<std::uint32_t> threads;
  const auto add = [&](const Value& value) {
    const auto found = value.as(input::integer<std::uint32_t>(1, 1'000'000));
    if (found) threads.push_back(*found);
  };
  point.require_value("threads", "a number of threads, or several", [&](const Value& value) {
    if (value.may_be_list()) value.list(add, {1, 1000});
    if (value.is_dry() || !value.may_be_list()) add(value);
  });
  return threads;
}

}  // namespace

void DocumentReader::read_points(MapReader& map) {
  map.value("points", "where to run every variant", [&](const Value& points) {
    points.list(
        [&](const Value& one) {
          Point point;
          std::vector<std::uint32_t> threads;
          one.map([&](MapReader& inside) {
            threads = read_thread_counts(inside);
            point.label = inside.get("label", input::text(), "", "for reports");
            point.changes = read_changes(inside, "set", "what stands at a path becomes a value");
          });
          for (const std::uint32_t number : threads) {
            document_.points.push_back({number, point.label, point.changes});
          }
        },
        {1, 1000});
  });
}

void DocumentReader::read_ranges(MapReader& map) {
  map.value("ranges", "how far inferred figures may be off, by path: the least and the most",
            [&](const Value& ranges) {
              ranges.entries([&](std::string_view path, const Value& value) {
                std::vector<std::string> bounds;
                value.list(
                    [&](const Value& one) {
                      if (const auto text = one.as(input::text())) bounds.push_back(*text);
                    },
                    {2, 2});
                if (value.is_dry() || bounds.size() != 2) return;
                document_.ranges.push_back(
                    {std::string(path), bounds[0], bounds[1], value.node()->position});
              });
            });
}

}  // namespace hotline::workload
