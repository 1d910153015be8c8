#include "sim/input/node.hpp"

#include <algorithm>

namespace hotline::input {

const Node* Node::find(std::string_view key) const {
  const auto at = std::find_if(members.begin(), members.end(),
                               [key](const Member& member) { return member.key == key; });
  return at == members.end() ? nullptr : &at->value;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string Node::found() const {
  constexpr std::size_t kLongest = 40;
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  if (text.size() <= kLongest) return "\"" + text + "\"";
  // Do not cut a UTF-8 character in two.
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return "\"" + text.substr(0, end) + "...\"";
}

Node make_scalar(std::string text, std::string_view origin) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.file = std::make_shared<const std::string>(origin);
  node.text = std::move(text);
  return node;
}

Node merge(Node base, const Node& over) {
  if (!base.is_map() || !over.is_map()) return over;
  base.position = over.position;
  base.file = over.file;
  for (const Member& member : over.members) {
    Node* below = base.find(member.key);
    if (below != nullptr) {
      *below = merge(std::move(*below), member.value);
    } else {
      base.members.push_back(member);
    }
  }
  return base;
}

}  // namespace hotline::input
