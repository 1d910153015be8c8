#pragma once

// The templates of reader.hpp, which includes this file.

#include "sim/input/reader.hpp"

namespace hotline::input {

namespace detail {

/// a <= b, or true where the type has no order.
template <class T>
bool is_ordered(const T& a, const T& b) {
  if constexpr (requires { a <= b; }) {
    return a <= b;
  } else if constexpr (requires {
                         a.time;
                         a.cycles;
                       }) {
    // A latency has an order only in each of its parts.
    return a.time <= b.time && a.cycles <= b.cycles;
  } else {
    return true;
  }
}

}  // namespace detail

template <class Type>
std::optional<typename Type::type> Value::as(const Type& type) const {
  if (is_dry()) {
    declaration_->allow(type.declare());
    if (reading_->figures != nullptr && type.is_figure()) declare_long_form();
    return std::nullopt;
  }
  if (reading_->figures != nullptr && type.is_figure()) return figure(type);
  return type.read(*this);
}

template <class Type>
std::optional<typename Type::type> Value::figure(const Type& type) const {
  auto parts = figure_parts();
  if (!parts) return std::nullopt;
  auto value = type.read(child(*parts->scalar, path_));
  if (!value) return std::nullopt;
  if (parts->range != nullptr) check_range(type, *value, *parts);
  reading_->figures->push_back({place(), parts->scalar->text, std::move(parts->origin)});
  return value;
}

template <class Type>
void Value::check_range(const Type& type, const typename Type::type& value,
                        FigureParts& parts) const {
  const Value range = child(*parts.range, path_ + ".range");
  if (!range.expect(Node::Kind::kList, parts.range->items.size(), {2, 2})) return;
  const auto least = type.read(child(parts.range->items[0], range.path_));
  const auto most = type.read(child(parts.range->items[1], range.path_));
  if (!least || !most) return;
  parts.origin.range = type.print(*least) + " to " + type.print(*most);
  if (detail::is_ordered(*least, value) && detail::is_ordered(value, *most)) return;
  range.error("the range " + parts.origin.range + " does not hold " + type.print(value));
}

template <class Read>
void Value::map(Read&& read, std::string_view definition) const {
  if (is_dry()) {
    Declaration* form = begin_map(definition);
    if (form == nullptr) return;
    MapReader reader(*this, *form);
    read(reader);
    return;
  }
  MapReader reader(*this);
  if (!node_->is_map()) return;
  read(reader);
  reader.finish();
}

template <class Read>
void Value::list(Read&& read, Size size) const {
  if (is_dry()) {
    read(Value(*reading_, begin_entries(Declaration::Kind::kList, size), path_ + "[]"));
    return;
  }
  if (!expect(Node::Kind::kList, node_->items.size(), size)) return;
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    read(std::as_const(*this).child(node_->items[i], path_ + "[" + std::to_string(i) + "]"));
  }
}

template <class Read>
void Value::entries(Read&& read, Size size) const {
  if (is_dry()) {
    read(std::string_view("NAME"),
         Value(*reading_, begin_entries(Declaration::Kind::kMap, size), path_ + ".NAME"));
    return;
  }
  if (!expect(Node::Kind::kMap, node_->members.size(), size)) return;
  for (const Member& member : node_->members) {
    const std::string path = path_.empty() ? member.key : path_ + "." + member.key;
    read(std::string_view(member.key), child(member.value, path));
  }
}

template <class Read>
bool MapReader::visit(std::string_view key, std::string_view description, bool required,
                      Read&& read) {
  if (is_dry()) {
    Declaration form;
    read(Value(whole_.reading(), form, path_of(key)));
    Declaration& declared = declare(key, description, required);
    std::string kept = std::move(declared.description);
    declared = std::move(form);
    declared.description = std::move(kept);
    return false;
  }
  const Node* node = take(key);
  if (node == nullptr) {
    if (required) missing(key, description);
    return false;
  }
  read(whole_.child(*node, path_of(key)));
  return true;
}

template <class Type>
std::optional<typename Type::type> MapReader::find(std::string_view key, const Type& type,
                                                   std::string_view description) {
  std::optional<typename Type::type> found;
  visit(key, description, false, [&](const Value& value) { found = value.as(type); });
  return found;
}

template <class Type>
typename Type::type MapReader::require(std::string_view key, const Type& type,
                                       std::string_view description) {
  std::optional<typename Type::type> found;
  visit(key, description, true, [&](const Value& value) { found = value.as(type); });
  return found.value_or(typename Type::type{});
}

template <class Type>
typename Type::type MapReader::get(std::string_view key, const Type& type,
                                   typename Type::type fallback, std::string_view description) {
  const auto found = find(key, type, description);
  if (is_dry()) declaration_->properties.back().value.fallback = type.print(fallback);
  return found.value_or(std::move(fallback));
}

template <class Read>
bool MapReader::value(std::string_view key, std::string_view description, Read&& read) {
  return visit(key, description, false, std::forward<Read>(read));
}

template <class Read>
bool MapReader::require_value(std::string_view key, std::string_view description, Read&& read) {
  return visit(key, description, true, std::forward<Read>(read));
}

template <class Read>
bool MapReader::map(std::string_view key, std::string_view description, Read&& read,
                    std::string_view definition) {
  return visit(key, description, false, [&](const Value& value) { value.map(read, definition); });
}

template <class Read>
bool MapReader::require_map(std::string_view key, std::string_view description, Read&& read,
                            std::string_view definition) {
  return visit(key, description, true, [&](const Value& value) { value.map(read, definition); });
}

}  // namespace hotline::input
