#include "sim/input/reader.hpp"

#include <algorithm>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"

namespace hotline::input {
namespace {

std::string file_of(const Node& node) { return node.file ? *node.file : std::string(); }

std::string plural(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

/// How far off an inferred figure may be, as one share: `range: 30%`.
std::optional<std::string> range_as_share(const Value& value) {
  auto type = share_of(Share{0}, Share{10});
  type.figure = false;
  const auto share = value.as(type);
  if (!share) return std::nullopt;
  return "within " + to_text(*share);
}

}  // namespace

Place Value::place() const {
  if (is_dry()) return {{}, {}, path_};
  return {file_of(*node_), node_->position, path_};
}

void Value::error(std::string message) const {
  if (!is_dry()) reading_->diagnostics.error(place(), std::move(message));
}

void Value::warning(std::string message) const {
  if (!is_dry()) reading_->diagnostics.warning(place(), std::move(message));
}

Value Value::child(const Node& node, std::string path) const {
  Value value(*reading_, node, std::move(path));
  value.origin_ = origin_;
  return value;
}

bool Value::expect(Node::Kind kind, std::size_t found, Size size) const {
  const bool is_list = kind == Node::Kind::kList;
  if (node_->kind != kind) {
    error(node_->found() + " stands here; expected a " + (is_list ? "list" : "map"));
    return false;
  }
  if (found >= size.least && found <= size.most) return true;
  const bool too_few = found < size.least;
  std::string text = "has " + plural(found, is_list ? "item" : "key") + "; expected at ";
  text += too_few ? "least " + std::to_string(size.least) : "most " + std::to_string(size.most);
  error(text);
  return false;
}

Declaration* Value::begin_map(std::string_view definition) const {
  Declaration form;
  form.kind = Declaration::Kind::kMap;
  if (definition.empty()) {
    declaration_->allow(std::move(form));
    const bool is_only = declaration_->kind != Declaration::Kind::kOneOf;
    return is_only ? declaration_ : &declaration_->alternatives.back();
  }
  Declaration reference;
  reference.kind = Declaration::Kind::kReference;
  reference.reference = definition;
  declaration_->allow(std::move(reference));
  const auto [at, fresh] =
      reading_->schema->definitions.emplace(std::string(definition), std::move(form));
  return fresh ? &at->second : nullptr;
}

Declaration& Value::begin_entries(Declaration::Kind kind, Size size) const {
  Declaration form;
  form.kind = kind;
  form.entries.emplace_back();
  if (size.least > 0) form.least = static_cast<double>(size.least);
  if (size.most < Size{}.most) form.most = static_cast<double>(size.most);
  declaration_->allow(std::move(form));
  const bool is_only = declaration_->kind != Declaration::Kind::kOneOf;
  return (is_only ? *declaration_ : declaration_->alternatives.back()).entries.front();
}

void Value::declare_long_form() const {
  Reading without_figures{reading_->diagnostics, nullptr, reading_->schema};
  Value plain = *this;
  plain.reading_ = &without_figures;
  plain.map(
      [](MapReader& figure) {
        figure.require_value("is", "the figure itself", [](const Value&) {});
        figure.get("source", text(), "", "where the figure was measured or published");
        figure.get("inferred", boolean(), false, "nobody measured it");
        figure.value("range", "how far off it may be: a share, or the least and the most",
                     [](const Value&) {});
      },
      "figure");
}

std::optional<Value::FigureParts> Value::figure_parts() const {
  FigureParts parts;
  if (origin_) parts.origin = *origin_;
  parts.scalar = node_;
  if (!node_->is_map()) return parts;

  // A figure's own origin replaces that of its block as a whole.
  Value plain = *this;
  Reading without_figures{reading_->diagnostics};
  plain.reading_ = &without_figures;
  Origin own;
  bool states_origin = false;
  parts.scalar = nullptr;
  plain.map([&](MapReader& figure) {
    figure.require_value("is", "the figure itself", [&](const Value&) {});
    parts.scalar = node_->find("is");
    states_origin = figure.has("source") || figure.has("inferred") || figure.has("range");
    own.source = figure.get("source", text(), "", "where the figure was measured or published");
    own.inferred = figure.get("inferred", boolean(), false, "nobody measured it");
    figure.value("range", "how far off it may be", [&](const Value& range) {
      if (range.node()->is_list()) {
        parts.range = range.node();
      } else if (auto within = range_as_share(range)) {
        own.range = std::move(*within);
      }
    });
  });
  if (parts.scalar == nullptr) return std::nullopt;
  if (states_origin) parts.origin = std::move(own);
  return parts;
}

MapReader::MapReader(const Value& value) : whole_(value) {
  if (!value.node()->is_map()) {
    value.error(value.node()->found() + " stands here; expected a map");
    return;
  }
  node_ = value.node();
  if (value.reading().figures != nullptr) read_origin();
}

MapReader::MapReader(const Value& value, Declaration& declaration)
    : whole_(value), declaration_(&declaration) {
  if (value.reading().figures != nullptr) read_origin();
}

void MapReader::read_origin() {
  const bool states_origin = has("source") || has("inferred") || has("range");
  Origin origin;
  origin.source = get("source", text(), "", "where the figures of this block come from");
  origin.inferred = get("inferred", boolean(), false, "nobody measured the figures of this block");
  value("range", "how far off they may be", [&origin](const Value& range) {
    if (auto within = range_as_share(range)) origin.range = std::move(*within);
  });
  if (states_origin) whole_.origin_ = std::make_shared<const Origin>(std::move(origin));
}

bool MapReader::has(std::string_view key) const {
  return node_ != nullptr && node_->find(key) != nullptr;
}

const Node* MapReader::take(std::string_view key) {
  known_.emplace_back(key);
  return node_ == nullptr ? nullptr : node_->find(key);
}

void MapReader::missing(std::string_view key, std::string_view description) const {
  if (node_ == nullptr) return;
  whole_.error("key \"" + std::string(key) + "\" is missing: " + std::string(description));
}

std::string MapReader::path_of(std::string_view key) const {
  return whole_.path().empty() ? std::string(key) : whole_.path() + "." + std::string(key);
}

Place MapReader::place_of(std::string_view key) const {
  Place place = whole_.place();
  place.path = path_of(key);
  if (node_ == nullptr) return place;
  for (const Member& member : node_->members) {
    if (member.key != key) continue;
    place.position = member.position;
    place.file = file_of(member.value);
  }
  return place;
}

void MapReader::error_at(std::string_view key, std::string message) const {
  if (!is_dry()) whole_.reading().diagnostics.error(place_of(key), std::move(message));
}

void MapReader::warning_at(std::string_view key, std::string message) const {
  if (!is_dry()) whole_.reading().diagnostics.warning(place_of(key), std::move(message));
}

Declaration& MapReader::declare(std::string_view key, std::string_view description, bool required) {
  Property property;
  property.key = key;
  property.required = required;
  property.value.description = description;
  declaration_->properties.push_back(std::move(property));
  return declaration_->properties.back().value;
}

void MapReader::finish() {
  if (node_ == nullptr || ignores_rest_) return;
  for (const Member& member : node_->members) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    error_at(member.key, "unknown key; " + suggestion(member.key, known_));
  }
}

}  // namespace hotline::input
