#include "sim/workload/workload.hpp"

#include <algorithm>

#include "models/catalog.hpp"
#include "sim/input/document.hpp"
#include "sim/input/suggest.hpp"
#include "sim/workload/changes.hpp"
#include "sim/workload/document_reader.hpp"

namespace hotline::workload {
namespace {

/// Reads a document into its parts, reporting everything that is wrong.
Document read_document(const input::Node& node, const Library& library,
                       const std::filesystem::path& folder, input::Diagnostics& diagnostics) {
  DocumentReader reader(library, folder);
  input::Reading reading{diagnostics};
  input::read(reading, node, [&](input::MapReader& map) { reader.read(map); });
  return reader.take();
}

/// `hits` is short for `variables.hits`.
Change spelled_out(Change change, const input::Node& document) {
  const bool short_form = change.path.find_first_of(".[") == std::string::npos;
  const input::Node* variables = document.find("variables");
  if (short_form && variables != nullptr && variables->find(change.path) != nullptr) {
    change.path = "variables." + change.path;
  }
  return change;
}

void set_threads(input::Node& document, std::uint32_t threads, std::string_view origin,
                 input::Diagnostics& diagnostics) {
  apply({"measure.threads", input::make_scalar(std::to_string(threads), origin)}, document,
        diagnostics);
}

}  // namespace

Library standard_library() {
  return {std::make_shared<const model::Catalog>(models::built_in()), machine::machine_folders()};
}

Workload Workload::load(const std::filesystem::path& file, Library library) {
  input::Diagnostics diagnostics;
  Workload workload(std::move(library));
  workload.document_ = input::load_file(file, diagnostics);
  workload.file_ = file.string();
  workload.name_ = file.stem().string();
  workload.folder_ = file.parent_path();
  workload.read(diagnostics);
  return workload;
}

Workload Workload::parse(std::string_view text, std::string_view name, Library library) {
  input::Diagnostics diagnostics;
  Workload workload(std::move(library));
  workload.document_ = input::load_text(text, name, diagnostics);
  workload.file_ = name;
  workload.name_ = std::filesystem::path(name).stem().string();
  workload.read(diagnostics);
  return workload;
}

void Workload::read(input::Diagnostics& diagnostics) {
  diagnostics.throw_if_errors();
  normalise(document_);
  Document base = read_document(document_, library_, folder_, diagnostics);
  const bool base_is_good = !diagnostics.has_errors();
  if (!base.name.empty()) name_ = base.name;
  description_ = base.description;
  variants_ = std::move(base.variants);
  points_ = std::move(base.points);
  published_ = std::move(base.published);
  lesson_ = std::move(base.lesson);
  ranges_ = std::move(base.ranges);
  const bool plain = variants_.empty();
  if (plain) variants_.push_back({"base", "the file as it stands", {}});
  if (points_.empty()) points_.push_back({base.scenario.threads, "", {}});

  const Overrides nothing;
  for (const Variant& variant : variants_) {
    const input::Node document = changed(variant, nullptr, nothing, diagnostics);
    if (base_is_good && !plain) read_document(document, library_, folder_, diagnostics);
  }
  for (const Point& point : points_) {
    const input::Node document = changed({}, &point, nothing, diagnostics);
    if (base_is_good) read_document(document, library_, folder_, diagnostics);
  }
  for (const Range& range : ranges_) check_range(range, base_is_good, diagnostics);
  diagnostics.throw_if_errors();
  for (const input::Diagnostic& one : diagnostics.sorted()) {
    warnings_.push_back(input::to_string(one));
  }
}

/// Both ends must be values that may stand there.
void Workload::check_range(const Range& range, bool base_is_good,
                           input::Diagnostics& diagnostics) const {
  for (const std::string& end : {range.least, range.most}) {
    input::Node value;
    value.kind = input::Node::Kind::kScalar;
    value.text = end;
    value.position = range.position;
    value.file = document_.file;
    input::Node document = document_;
    apply(spelled_out({range.path, value}, document), document, diagnostics);
    normalise(document);
    if (base_is_good) read_document(document, library_, folder_, diagnostics);
  }
}

const input::Node* Workload::at(std::string_view path) const {
  return find(spelled_out({std::string(path), {}}, document_).path, document_);
}

input::Node Workload::changed(const Variant& variant, const Point* point,
                              const Overrides& overrides, input::Diagnostics& diagnostics) const {
  input::Node document = document_;
  for (const Change& change : variant.changes) apply(change, document, diagnostics);
  if (point != nullptr) {
    for (const Change& change : point->changes) apply(change, document, diagnostics);
    set_threads(document, point->threads, file_, diagnostics);
  }
  for (const Change& change : overrides.changes) {
    apply(spelled_out(change, document), document, diagnostics);
  }
  if (overrides.threads) set_threads(document, *overrides.threads, "--threads", diagnostics);
  normalise(document);
  return document;
}

const Variant& Workload::find_variant(std::string_view name) const {
  const auto found = std::find_if(variants_.begin(), variants_.end(),
                                  [&](const Variant& variant) { return variant.name == name; });
  if (found != variants_.end()) return *found;
  std::vector<std::string> names;
  for (const Variant& variant : variants_) names.push_back(variant.name);
  input::Diagnostics diagnostics;
  diagnostics.error({file_, {}, "variants"}, "there is no variant \"" + std::string(name) + "\"; " +
                                                 input::suggestion(name, names));
  throw input::InputError(std::move(diagnostics));
}

Scenario Workload::build(std::string_view variant, const Point* point,
                         const Overrides& overrides) const {
  input::Diagnostics diagnostics;
  const input::Node document = changed(find_variant(variant), point, overrides, diagnostics);
  diagnostics.throw_if_errors();
  Document read = read_document(document, library_, folder_, diagnostics);
  diagnostics.throw_if_errors();
  read.scenario.workload = name_;
  read.scenario.file = file_;
  read.scenario.variant = variant;
  read.scenario.models = library_.models;
  return std::move(read.scenario);
}

input::Node Workload::document(std::string_view variant, const Overrides& overrides) const {
  input::Diagnostics diagnostics;
  input::Node document = changed(find_variant(variant), nullptr, overrides, diagnostics);
  diagnostics.throw_if_errors();
  return document;
}

Scenario Workload::scenario(std::string_view variant, const Overrides& overrides) const {
  return build(variant, nullptr, overrides);
}

Scenario Workload::scenario(std::string_view variant, const Point& point,
                            const Overrides& overrides) const {
  return build(variant, &point, overrides);
}

std::string schema(const Library& library) {
  const std::filesystem::path nowhere;
  DocumentReader reader(library, nowhere);
  input::Schema schema;
  schema.title = "hotline workload";
  input::Diagnostics unused;
  input::Reading reading{unused, nullptr, &schema};
  input::Value(reading, schema.document, {}).map([&](input::MapReader& map) { reader.read(map); });
  return input::to_json(schema);
}

}  // namespace hotline::workload
