#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"
#include "sim/model/plugin.hpp"

namespace hotline::model {

/// The models that a run may use, by name: those of the tree and those of plugins.
class Catalog {
 public:
  explicit Catalog(std::span<const Entry> rows) { add(rows); }

  /// Appends rows. Throws std::invalid_argument for a name that is taken or is not spelled in lower
  /// case, digits and hyphens.
  void add(std::span<const Entry> rows);
  /// Appends the rows of a shared library and keeps it loaded. Throws PluginError, or
  /// std::invalid_argument as add() does.
  void load(const std::filesystem::path& library);

  /// The row of that name, or null. It stays where it is as long as the catalogue lives.
  const Entry* find(std::string_view name) const;
  /// What to say to someone who wrote `name`: `did you mean "ticket"?`, or the names there are.
  std::string suggestion(std::string_view name) const;

  const std::deque<Entry>& entries() const { return entries_; }

 private:
  std::vector<std::unique_ptr<Plugin>> plugins_;  // first: entries point into them
  std::deque<Entry> entries_;
};

}  // namespace hotline::model
