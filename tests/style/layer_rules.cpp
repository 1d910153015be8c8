#include "tests/style/layer_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace hotline::tests::style {
namespace {

using Names = std::vector<std::string_view>;

// The order of the layers, earliest first. "models" is the folder of that name.
const Names& layers() {
  static const Names kLayers = {"engine",   "input",   "machine",    "os",      "model",  "models",
                                "workload", "measure", "experiment", "cluster", "report", "cli"};
  return kLayers;
}

// What models may see: the interfaces they implement and each other.
const Names& seen_by_models() {
  static const Names kSeen = {"model", "models"};
  return kSeen;
}

struct ThirdParty {
  std::string_view include;  // how the names of its headers begin
  std::string_view target;   // how the names of its CMake targets begin
  Names owners;
};

// The rows of docs/dependencies.md.
const std::vector<ThirdParty>& third_parties() {
  static const std::vector<ThirdParty> kRows = {
      {"yaml-cpp/", "yaml-cpp", {"input"}},
      {"boost/graph/", "", {"machine", "workload"}},
      {"boost/math/", "", {"measure"}},
      {"boost/uuid/", "", {"experiment"}},
      {"boost/mpi", "Boost::mpi", {"cluster"}},
      {"boost/serialization/", "Boost::serialization", {"cluster"}},
      {"SQLiteCpp/", "SQLiteCpp", {"experiment"}},
      {"cairo", "PkgConfig::cairo", {"report"}},
      {"boost/json", "", {"input", "report"}},
      {"boost/random/", "", {"experiment"}},
      {"nlopt", "NLopt::", {"experiment"}},
      {"fmt/", "fmt::", {"machine", "report", "cli"}},
      {"spdlog/", "spdlog::", {"cli"}},
      {"CLI/", "CLI11::", {"cli"}},
  };
  return kRows;
}

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The layer that a path from the top belongs to: sim/NAME/... or models/...
std::optional<std::string> layer_of(std::string_view path) {
  if (path.starts_with("models/")) return "models";
  if (!path.starts_with("sim/")) return std::nullopt;
  path.remove_prefix(4);
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return std::string(path.substr(0, slash));
}

bool may_see(std::string_view from, std::string_view to) {
  if (from == "models") return has(seen_by_models(), to);
  const auto& order = layers();
  return std::find(order.begin(), order.end(), to) <= std::find(order.begin(), order.end(), from);
}

void check_include(const SourceFile& file, const Include& include, Violations& found) {
  const auto from = layer_of(file.path);
  const auto to = layer_of(include.name);
  if (!to) {
    found.push_back({file.path, include.line,
                     "\"" + include.name + "\" is not written from the top as sim/LAYER/..."});
  } else if (!has(layers(), *to)) {
    found.push_back({file.path, include.line, *to + " is not a layer"});
  } else if (!may_see(*from, *to)) {
    found.push_back({file.path, include.line, *from + " may not include " + include.name});
  }
}

// Not the standard library's, the system's or the compiler's: <name>, <name.h>, <sys/name.h> and
// <sanitizer/name.h>.
bool is_third_party(const Include& include) {
  return include.is_angled && !include.name.starts_with("sys/") &&
         !include.name.starts_with("sanitizer/") &&
         (include.name.find('/') != std::string::npos || include.name.ends_with(".hpp"));
}

// Splits a CMake file into words and parentheses, comments left out.
std::vector<std::pair<std::string, std::size_t>> cmake_words(const std::string& text) {
  std::vector<std::pair<std::string, std::size_t>> words;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    for (char& c : line) {
      if (c == '(' || c == ')') c = ' ';
    }
    std::istringstream in(line);
    for (std::string word; in >> word;) words.emplace_back(word, number);
  }
  return words;
}

bool is_keyword(const std::string& word) {
  return std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isupper(c) != 0; });
}

void check_linked_layer(const SourceFile& file, std::string_view to, std::size_t line,
                        Violations& found) {
  const auto from = layer_of(file.path);
  if (!has(layers(), to) || to == *from || may_see(*from, to)) return;
  found.push_back({file.path, line, *from + " may not link " + std::string(to)});
}

void check_linked_library(const SourceFile& file, const std::string& word, std::size_t line,
                          Violations& found) {
  const auto from = layer_of(file.path);
  for (const auto& row : third_parties()) {
    if (!row.target.empty() && word.starts_with(row.target) && !has(row.owners, *from)) {
      found.push_back({file.path, line, *from + " may not link " + word});
    }
  }
}

void check_cmake_file(const SourceFile& file, Violations& found) {
  constexpr std::string_view kPrefix = "hotline_";
  bool in_depends = false;
  for (const auto& [word, line] : cmake_words(file.text)) {
    if (is_keyword(word)) {
      in_depends = word == "DEPENDS";
    } else if (word.starts_with(kPrefix)) {
      in_depends = false;
      check_linked_layer(file, std::string_view(word).substr(kPrefix.size()), line, found);
    } else if (in_depends) {
      check_linked_layer(file, word, line, found);
    } else {
      check_linked_library(file, word, line, found);
    }
  }
}

}  // namespace

Violations check_layers(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    if (!is_cpp(file.path) || !layer_of(file.path)) continue;
    for (const auto& include : includes_of(file.text)) {
      if (!include.is_angled) check_include(file, include, found);
    }
  }
  return found;
}

Violations check_two_way_folders(const Tree& tree) {
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::size_t>> arrows;
  for (const auto& file : tree) {
    if (!is_cpp(file.path) || !layer_of(file.path)) continue;
    for (const auto& include : includes_of(file.text)) {
      if (!include.is_angled) {
        arrows.try_emplace({folder_of(file.path), folder_of(include.name)}, file.path,
                           include.line);
      }
    }
  }
  Violations found;
  for (const auto& [arrow, place] : arrows) {
    const auto& [from, to] = arrow;
    const bool is_nested = to.starts_with(from + "/");
    if (from < to && !is_nested && arrows.contains({to, from})) {
      found.push_back({place.first, place.second, from + " and " + to + " include each other"});
    }
  }
  return found;
}

Violations check_third_party(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    const auto layer = layer_of(file.path);
    if (!is_cpp(file.path) || !layer) continue;
    for (const auto& include : includes_of(file.text)) {
      if (!is_third_party(include)) continue;
      const auto& rows = third_parties();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const ThirdParty& candidate) {
        return include.name.starts_with(candidate.include);
      });
      if (row == rows.end()) {
        found.push_back({file.path, include.line,
                         include.name + " has no row among the third parties of this check"});
      } else if (!has(row->owners, *layer)) {
        found.push_back({file.path, include.line, *layer + " may not include " + include.name});
      }
    }
  }
  return found;
}

Violations check_links(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    if (file.path.ends_with("CMakeLists.txt") && layer_of(file.path)) {
      check_cmake_file(file, found);
    }
  }
  return found;
}

}  // namespace hotline::tests::style
