#include "sim/workload/changes.hpp"

#include <algorithm>
#include <optional>

#include "sim/input/document.hpp"
#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"

namespace hotline::workload {
namespace {

using input::Node;

/// One step of a path: a key, or the index of a list's item.
struct Segment {
  std::string key;
  std::optional<std::size_t> index;
};

/// Cuts `a.b[2].c` up; nothing if it is badly written.
std::optional<std::vector<Segment>> split(std::string_view path) {
  std::vector<Segment> segments;
  while (!path.empty()) {
    if (path.front() == '[') {
      const std::size_t close = path.find(']');
      if (close == std::string_view::npos) return std::nullopt;
      const auto index = input::parse_unsigned(path.substr(1, close - 1));
      if (!index.value) return std::nullopt;
      segments.push_back({{}, static_cast<std::size_t>(*index.value)});
      path.remove_prefix(close + 1);
    } else {
      if (path.front() == '.' && !segments.empty()) path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".["), path.size());
      if (end == 0) return std::nullopt;
      segments.push_back({std::string(path.substr(0, end)), {}});
      path.remove_prefix(end);
    }
  }
  if (segments.empty()) return std::nullopt;
  return segments;
}

std::vector<std::string> keys(const Node& map) {
  std::vector<std::string> all;
  for (const input::Member& member : map.members) all.push_back(member.key);
  return all;
}

/// Walks a path and does what the change asks for at its end.
class Walk {
 public:
  Walk(const Change& change, input::Diagnostics& diagnostics)
      : change_(change), diagnostics_(diagnostics) {}

  void go(Node& document) {
    const auto segments = split(change_.path);
    if (!segments) {
      fail("is no path; write it as in objects.lock.model or points[0].threads");
      return;
    }
    Node* node = &document;
    for (std::size_t i = 0; i + 1 < segments->size() && node != nullptr; ++i) {
      node = step(*node, (*segments)[i]);
    }
    if (node != nullptr) finish(*node, segments->back());
  }

 private:
  Node* step(Node& node, const Segment& segment) {
    if (segment.index) return item(node, *segment.index);
    if (node.is_null() || !node.is_map()) {
      fail(where() + "there is " + node.found() + ", so \"" + segment.key +
           "\" cannot be below it");
      return nullptr;
    }
    Node* below = node.find(segment.key);
    if (below == nullptr) {
      fail(where() + "\"" + segment.key + "\" does not exist; " +
           input::suggestion(segment.key, keys(node)));
    }
    walked_ += (walked_.empty() ? "" : ".") + segment.key;
    return below;
  }

  Node* item(Node& node, std::size_t index) {
    if (!node.is_list() || index >= node.items.size()) {
      fail(where() + "there is no item " + std::to_string(index));
      return nullptr;
    }
    walked_ += "[" + std::to_string(index) + "]";
    return &node.items[index];
  }

  void finish(Node& node, const Segment& last) {
    if (last.index) {
      if (Node* found = item(node, *last.index)) *found = change_.value;
      return;
    }
    if (!node.is_map()) {
      fail(where() + "there is " + node.found() + ", so \"" + last.key + "\" cannot be below it");
      return;
    }
    const auto at = std::find_if(node.members.begin(), node.members.end(),
                                 [&](const input::Member& m) { return m.key == last.key; });
    if (change_.value.is_null()) {
      if (at != node.members.end()) node.members.erase(at);
    } else if (at != node.members.end()) {
      at->position = change_.value.position;
      at->value = change_.value;
    } else if (walked_ == "variables") {  // new ones would be read by nobody
      fail(where() + "\"" + last.key + "\" does not exist; " +
           input::suggestion(last.key, keys(node)));
    } else {
      node.members.push_back({last.key, change_.value.position, change_.value});
    }
  }

  std::string where() const { return walked_.empty() ? "" : "below " + walked_ + ", "; }

  void fail(const std::string& message) {
    const std::string file = change_.value.file ? *change_.value.file : std::string();
    diagnostics_.error({file, change_.value.position, change_.path}, message);
  }

  const Change& change_;
  input::Diagnostics& diagnostics_;
  std::string walked_;
};

/// Adds an empty map under a key that the user has left out.
void ensure_map(Node& node, std::string_view key, const Change& change) {
  if (!node.is_map() || node.find(key) != nullptr) return;
  Node empty;
  empty.kind = Node::Kind::kMap;
  empty.position = change.value.position;
  empty.file = change.value.file;
  node.members.push_back({std::string(key), empty.position, std::move(empty)});
}

}  // namespace

const Node* find(std::string_view path, const Node& document) {
  const auto segments = split(path);
  if (!segments) return nullptr;
  const Node* node = &document;
  for (const Segment& segment : *segments) {
    if (segment.index) {
      if (!node->is_list() || *segment.index >= node->items.size()) return nullptr;
      node = &node->items[*segment.index];
    } else {
      if (!node->is_map()) return nullptr;
      node = node->find(segment.key);
    }
    if (node == nullptr) return nullptr;
  }
  return node;
}

void normalise(Node& document) {
  Node* machine = document.find("machine");
  if (machine == nullptr || !machine->is_scalar()) return;
  Node map;
  map.kind = Node::Kind::kMap;
  map.position = machine->position;
  map.file = machine->file;
  map.members.push_back({"use", machine->position, *machine});
  *machine = std::move(map);
}

void apply(const Change& change, Node& document, input::Diagnostics& diagnostics) {
  normalise(document);
  if (change.path.starts_with("measure.")) ensure_map(document, "measure", change);
  Node* machine = document.find("machine");
  // A machine by name alone has no parameters yet.
  if (change.path.starts_with("machine.with.") && machine != nullptr) {
    ensure_map(*machine, "with", change);
  }
  Walk(change, diagnostics).go(document);
}

Change parse_change(std::string_view text, std::string_view origin) {
  input::Diagnostics diagnostics;
  const std::size_t equals = text.find('=');
  Change change;
  if (equals == std::string_view::npos || equals == 0) {
    diagnostics.error({std::string(origin), {}, {}},
                      "\"" + std::string(text) + "\" is no change; write path=value");
  } else {
    change.path = text.substr(0, equals);
    change.value = input::load_text(text.substr(equals + 1), origin, diagnostics);
    if (change.path == "threads") change.path = "measure.threads";
  }
  diagnostics.throw_if_errors();
  return change;
}

}  // namespace hotline::workload
