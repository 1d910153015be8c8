#include "sim/workload/resolver.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "sim/input/quantity.hpp"

namespace hotline::workload {
namespace {

using input::Node;

/// Keys at the top of a workload that no result depends on once changes are applied.
constexpr std::array<std::string_view, 5> kWithoutEffect{"name", "description", "variants",
                                                         "points", "published"};

/// A text's length stands before it, so that no two documents have the same text.
void append(std::string& out, std::string_view text) {
  out += std::to_string(text.size()) + ":";
  out += text;
}

void append(std::string& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      out += "~";
      break;
    case Node::Kind::kScalar:
      out += node.quoted ? "q" : "s";
      append(out, node.text);
      break;
    case Node::Kind::kList:
      out += "[";
      for (const Node& item : node.items) append(out, item);
      out += "]";
      break;
    case Node::Kind::kMap:
      out += "{";
      for (const input::Member& member : node.members) {
        append(out, member.key);
        append(out, member.value);
      }
      out += "}";
      break;
  }
}

std::string text_of(const Node& node) {
  std::string text;
  append(text, node);
  return text;
}

void remove(Node& map, std::string_view key) {
  std::erase_if(map.members, [&](const input::Member& member) { return member.key == key; });
}

/// Takes the number below `measure` out of the document; what is no number is left for the reader
/// to complain about.
template <class Number>
void take(Node& document, std::string_view key, Number& number) {
  Node* measure = document.find("measure");
  const Node* node = measure == nullptr ? nullptr : measure->find(key);
  if (node == nullptr || !node->is_scalar()) return;
  const auto found = input::parse_unsigned(node->text);
  if (!found.value) return;
  number = static_cast<Number>(*found.value);
  remove(*measure, key);
}

/// The recorded traces that groups of threads name by file.
void append_traces(std::string& out, const Node& document, const std::filesystem::path& folder) {
  const Node* groups = document.find("threads");
  if (groups == nullptr) return;
  for (const input::Member& group : groups->members) {
    const Node* trace = group.value.find("trace");
    const Node* file = trace == nullptr ? nullptr : trace->find("file");
    if (file == nullptr) continue;
    std::ifstream in(folder / file->text, std::ios::binary);
    append(out, std::string(std::istreambuf_iterator<char>(in), {}));
  }
}

}  // namespace

const std::string& Resolver::machine_text(const Node& node) {
  const auto [known, is_new] = machines_.try_emplace(text_of(node));
  if (is_new) {
    input::Diagnostics diagnostics;
    const Node document =
        machine::machine_document(node, workload_.library().machines, diagnostics);
    if (diagnostics.has_errors()) machines_.erase(known);
    diagnostics.throw_if_errors();
    known->second = text_of(document);
  }
  return known->second;
}

Resolved Resolver::resolve(std::string_view variant, const Overrides& overrides) {
  Node document = workload_.document(variant, overrides);
  Resolved resolved;
  take(document, "seed", resolved.seed);
  take(document, "replications", resolved.replications);
  for (const std::string_view key : kWithoutEffect) remove(document, key);
  append(resolved.text, workload_.name());
  append(resolved.text, variant);
  append(resolved.text, document);
  if (const Node* machine = document.find("machine")) {
    resolved.machine = &machine_text(*machine);
  }
  append_traces(resolved.text, document, workload_.folder());
  return resolved;
}

}  // namespace hotline::workload
