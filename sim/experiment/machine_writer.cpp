#include <algorithm>
#include <cctype>
#include <string_view>

#include "sim/experiment/machine_fit.hpp"
#include "sim/workload/changes.hpp"

namespace hotline::experiment {

namespace {

using input::Node;

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.text = std::move(text);
  return node;
}

Node empty_map() {
  Node node;
  node.kind = Node::Kind::kMap;
  return node;
}

Node& member(Node& map, const std::string& key) {
  if (map.find(key) == nullptr) map.members.push_back({key, {}, empty_map()});
  return *map.find(key);
}

/// `{is: 5ns, inferred: true, range: [4ns, 6ns], source: "..."}`.
Node figure(const FittedParameter& one, double factor, const std::string& source) {
  const Parameter& parameter = one.parameter;
  const double low = one.is_determined ? one.low : parameter.least;
  const double high = one.is_determined ? one.high : parameter.most;
  Node range;
  range.kind = Node::Kind::kList;
  range.items = {scalar(parameter.text(low * factor)), scalar(parameter.text(high * factor))};
  Node node = empty_map();
  node.members = {{"is", {}, scalar(parameter.text(one.value * factor))},
                  {"inferred", {}, scalar("true")},
                  {"range", {}, std::move(range)},
                  {"source", {}, scalar(source)}};
  return node;
}

/// Lists are replaced as a whole, so what goes into one takes the list with it.
void put(Node& file, const Node& document, const std::string& path, const Node& value) {
  Node* at = &file;
  const Node* from = &document;
  std::string_view rest = path;
  while (true) {
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    const std::string key(rest.substr(0, end));
    from = from == nullptr ? nullptr : from->find(key);
    const bool is_new = at->find(key) == nullptr;
    at = &member(*at, key);
    if (end == rest.size()) {
      *at = value;
      return;
    }
    if (rest[end] == '[') {
      if (is_new && from != nullptr) *at = *from;
      input::Diagnostics diagnostics;
      Node list = empty_map();
      list.members.push_back({"list", {}, *at});
      workload::apply({"list" + std::string(rest.substr(end)), value}, list, diagnostics);
      diagnostics.throw_if_errors();
      *at = list.members.front().value;
      return;
    }
    rest.remove_prefix(end + 1);
  }
}

std::string quoted(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-' ||
           c == '%' || c == '+' || c == '/';
  });
  if (is_plain && text.front() != '-' && text.front() != '%') return text;
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

std::string in_line(const Node& node) {
  std::string text;
  if (node.is_scalar()) return quoted(node.text);
  for (const Node& item : node.items) text += (text.empty() ? "" : ", ") + in_line(item);
  if (node.is_list()) return "[" + text + "]";
  for (const input::Member& one : node.members) {
    text += (text.empty() ? "" : ", ") + one.key + ": " + in_line(one.value);
  }
  return node.is_map() ? "{" + text + "}" : "null";
}

void write(const Node& map, const std::string& indent, std::string& text) {
  for (const input::Member& one : map.members) {
    text += indent + one.key + ":";
    if (one.value.is_map() && one.value.find("is") == nullptr) {
      text += "\n";
      write(one.value, indent + "  ", text);
    } else if (one.value.is_list()) {
      text += "\n";
      for (const Node& item : one.value.items) text += indent + "  - " + in_line(item) + "\n";
    } else {
      text += " " + in_line(one.value) + "\n";
    }
  }
}

}  // namespace

std::string machine_text(const FittedMachine& machine, const Fit& fit) {
  Node file = empty_map();
  const Node* title = machine.document.find("title");
  file.members.push_back(
      {"title", {}, scalar((title == nullptr ? machine.extends : title->text) + ", fitted")});
  file.members.push_back({"extends", {}, scalar(machine.extends)});
  for (const std::string& one : machine.with) {
    const std::size_t equals = one.find('=');
    put(file, {}, "with." + one.substr(0, equals), scalar(one.substr(equals + 1)));
  }
  for (const std::string& one : machine.changes) {
    const workload::Change change = workload::parse_change(one, "--set");
    put(file, machine.document, change.path, change.value);
  }
  for (const FittedParameter& one : fit.parameters) {
    for (const auto& [path, factor] : one.parameter.places) {
      put(file, machine.document, path, figure(one, factor, machine.source));
    }
  }
  std::string text = machine.comment;
  write(file, "", text);
  return text;
}

}  // namespace hotline::experiment
