#include "sim/model/catalog.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/input/suggest.hpp"

namespace hotline::model {

namespace {

bool is_well_spelled(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

void Catalog::add(std::span<const Entry> rows) {
  for (const Entry& row : rows) {
    const std::string name(row.name);
    if (!is_well_spelled(name)) {
      throw std::invalid_argument("model \"" + name +
                                  "\": a name has lower-case letters, digits and hyphens");
    }
    if (find(name) != nullptr) {
      throw std::invalid_argument("model \"" + name + "\" is there already");
    }
    if (row.make == nullptr) {
      throw std::invalid_argument("model \"" + name + "\" has no function that makes one");
    }
    entries_.push_back(row);
  }
}

void Catalog::load(const std::filesystem::path& library) {
  plugins_.push_back(std::make_unique<Plugin>(library));
  add(plugins_.back()->rows());
}

const Entry* Catalog::find(std::string_view name) const {
  const auto row = std::find_if(entries_.begin(), entries_.end(),
                                [&](const Entry& entry) { return entry.name == name; });
  return row == entries_.end() ? nullptr : &*row;
}

std::string Catalog::suggestion(std::string_view name) const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.emplace_back(entry.name);
  return input::suggestion(name, names);
}

}  // namespace hotline::model
