#include "sim/input/tree_builder.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace hotline::input {
namespace {

/// Ends parsing when going on makes no sense; the message is already in the diagnostics.
struct Abandon {};

Position position_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {1, 1};
  return {static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(mark.column) + 1};
}

/// How much a tree adds where an alias repeats it.
struct Extent {
  std::size_t nodes = 1;
  std::size_t depth = 1;
};

Extent measure(const Node& node) {
  Extent all;
  const auto add = [&all](const Node& child) {
    const Extent below = measure(child);
    all.nodes += below.nodes;
    all.depth = std::max(all.depth, below.depth + 1);
  };
  for (const Node& item : node.items) add(item);
  for (const Member& member : node.members) add(member.value);
  return all;
}

/// Builds the tree from the parser's events. The events carry the position of everything, keys
/// included; YAML::Node does not show those of keys.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view name, Diagnostics& diagnostics, const Limits& limits)
      : file_(std::make_shared<const std::string>(name)),
        diagnostics_(diagnostics),
        limits_(limits) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    root_.file = file_;
    root_.position = position_of(mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    finish(make(Node::Kind::kNull, mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) {
      fail(position_of(mark), "this alias stands inside what it names");
    }
    const auto& [node, extent] = known->second;
    count(extent.nodes, position_of(mark));
    check_depth(open_.size() + extent.depth - 1, position_of(mark));
    finish(node, 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = make(Node::Kind::kScalar, mark);
    check_tag(tag, node.position);
    node.text = value;
    node.quoted = tag == "!";  // yaml-cpp's tag for a scalar in quotes or a block
    finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come yet.
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    std::string key;
    Position key_position;
    std::vector<Node> merged;  // values of `<<`
  };

  Node make(Node::Kind kind, const YAML::Mark& mark) {
    Node node;
    node.kind = kind;
    node.position = position_of(mark);
    node.file = file_;
    count(1, node.position);
    return node;
  }

  void count(std::size_t nodes, Position position) {
    nodes_ += nodes;
    if (nodes_ > limits_.nodes) {
      fail(position, "the file has more than " + std::to_string(limits_.nodes) + " values");
    }
  }

  void check_depth(std::size_t depth, Position position) {
    if (depth > limits_.depth) {
      fail(position, "nested deeper than " + std::to_string(limits_.depth) + " levels");
    }
  }

  void check_tag(const std::string& tag, Position position) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    error(position, "tag \"" + tag + "\" is not supported; write the plain value");
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    Open fresh;
    fresh.node = make(kind, mark);
    fresh.anchor = anchor;
    check_tag(tag, fresh.node.position);
    check_depth(open_.size() + 1, fresh.node.position);
    open_.push_back(std::move(fresh));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    for (const Node& merged : done.merged) take_merged(done.node, merged);
    finish(std::move(done.node), done.anchor);
  }

  /// Hands a finished value to what is open around it.
  void finish(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = {node, measure(node)};
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_list()) {
      open_.back().node.items.push_back(std::move(node));
    } else if (!open_.back().has_key) {
      take_key(open_.back(), node);
    } else {
      take_value(open_.back(), std::move(node));
    }
  }

  void take_key(Open& map, const Node& key) {
    map.has_key = true;
    map.key_position = key.position;
    map.key = key.text;
    if (!key.is_scalar()) error(key.position, "a key must be a name, not " + key.found());
  }

  void take_value(Open& map, Node value) {
    map.has_key = false;
    // The parser reports a value left out at whatever comes next.
    if (value.is_null() && value.position.line != map.key_position.line) {
      value.position = map.key_position;
    }
    if (map.key == "<<") {
      map.merged.push_back(std::move(value));
      return;
    }
    if (const Member* first = member_of(map.node, map.key)) {
      error(map.key_position, "key \"" + map.key + "\" is given twice; the first is on line " +
                                  std::to_string(first->position.line));
      return;
    }
    if (map.node.members.size() >= kMostKeys) {
      fail(map.key_position, "a map with more than " + std::to_string(kMostKeys) + " keys");
    }
    map.node.members.push_back({std::move(map.key), map.key_position, std::move(value)});
  }

  static const Member* member_of(const Node& map, const std::string& key) {
    for (const Member& member : map.members) {
      if (member.key == key) return &member;
    }
    return nullptr;
  }

  /// `<<`: keys of the merged map count where the map itself does not have them.
  void take_merged(Node& map, const Node& merged) {
    if (merged.is_list()) {
      for (const Node& item : merged.items) take_merged(map, item);
    } else if (!merged.is_map()) {
      error(merged.position, "\"<<\" takes a map or a list of maps, not " + merged.found());
    } else {
      for (const Member& member : merged.members) {
        if (map.find(member.key) == nullptr) map.members.push_back(member);
      }
    }
  }

  void error(Position position, std::string message) {
    diagnostics_.error({*file_, position, {}}, std::move(message));
  }

  [[noreturn]] void fail(Position position, std::string message) {
    error(position, std::move(message));
    throw Abandon{};
  }

  // Keys are looked up one by one; what people write is far below this.
  static constexpr std::size_t kMostKeys = 4096;

  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  const Limits& limits_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::pair<Node, Extent>> anchors_;
  std::size_t nodes_ = 0;
};

/// Notices whether anything stands after the first document.
class NothingMore final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { position_ = position_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  Position position() const { return position_; }

 private:
  Position position_{1, 1};
};

}  // namespace

Node build_tree(std::string_view text, std::string_view name, Diagnostics& diagnostics,
                const Limits& limits) {
  TreeBuilder builder(name, diagnostics, limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.error({std::string(name), {}, {}}, "is empty; expected a map of keys and values");
      return {};
    }
    NothingMore rest;
    if (parser.HandleNextDocument(rest)) {
      diagnostics.error({std::string(name), rest.position(), {}},
                        "a second document starts here; expected one document a file");
    }
  } catch (const Abandon&) {
    return {};
  } catch (const YAML::Exception& problem) {
    diagnostics.error({std::string(name), position_of(problem.mark), {}},
                      "not valid YAML: " + problem.msg);
    return {};
  }
  return builder.take_root();
}

}  // namespace hotline::input
