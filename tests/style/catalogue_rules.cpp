#include "tests/style/catalogue_rules.hpp"

#include <algorithm>
#include <regex>

namespace hotline::tests::style {
namespace {

constexpr std::string_view kCatalogue = "models/catalog.cpp";

const SourceFile* find_file(const Tree& tree, std::string_view path) {
  const auto file = std::find_if(tree.begin(), tree.end(),
                                 [&](const SourceFile& each) { return each.path == path; });
  return file == tree.end() ? nullptr : &*file;
}

// models/KIND/NAME.cpp, not what lies in models/ itself, the parts that models share, nor a model's
// parts below.
bool is_model(const SourceFile& file) {
  const std::string folder = folder_of(file.path);
  return folder.starts_with("models/") && folder != "models/parts" &&
         std::count(folder.begin(), folder.end(), '/') == 1 && file.path.ends_with(".cpp");
}

}  // namespace

Violations check_catalogued(const Tree& tree) {
  const SourceFile* catalogue = find_file(tree, kCatalogue);
  const std::string rows = catalogue ? code_only(catalogue->text) : std::string();
  Violations found;
  for (const auto& file : tree) {
    if (!is_model(file)) continue;
    if (!std::regex_search(rows, std::regex("\\b" + stem_of(file.path) + "\\b"))) {
      found.push_back({file.path, 1, "the model is not in models/catalog.cpp"});
    }
  }
  return found;
}

Violations check_documented(const Tree& tree) {
  Violations found;
  for (const auto& file : tree) {
    if (!is_model(file)) continue;
    const std::string page = "docs/models/" + stem_of(file.path) + ".md";
    if (!find_file(tree, page)) found.push_back({file.path, 1, "the model has no page " + page});
  }
  return found;
}

}  // namespace hotline::tests::style
