#include <algorithm>
#include <fstream>
#include <sstream>

#include "sim/input/suggest.hpp"
#include "sim/input/utf8.hpp"
#include "sim/workload/trace_reader.hpp"

namespace hotline::workload {
namespace {

using input::Node;
using input::Position;

constexpr std::string_view kColumns = "at,thread,operation,target,value";
constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

/// The operations that a row may have, and the key that its value goes to.
struct Row {
  std::string_view operation;
  std::string_view target_key;  ///< if there is a value
  std::string_view value_key;   ///< empty: the operation takes none
};
constexpr Row kRows[] = {
    {"acquire", "", ""},
    {"release", "", ""},
    {"acquire_read", "", ""},
    {"release_read", "", ""},
    {"compute", "", ""},
    {"read", "", ""},
    {"sum", "", ""},
    {"load", "", ""},
    {"count", "work", "amount"},
    {"signal", "event", "times"},
    {"wait_for", "event", "count"},
    {"add", "to", "amount"},
    {"store", "word", "value"},
    {"fetch_add", "word", "value"},
    {"fetch_and", "word", "value"},
    {"fetch_or", "word", "value"},
    {"exchange", "word", "value"},
    {"spin", "word", "until"},
    {"touch", "object", "lines"},
};

struct Cell {
  std::string text;
  std::uint32_t column = 1;
};

std::vector<Cell> cut(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t at = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    std::string_view cell = line.substr(at, comma - at);
    std::size_t from = at;
    while (!cell.empty() && cell.front() == ' ') {
      cell.remove_prefix(1);
      ++from;
    }
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\r')) cell.remove_suffix(1);
    cells.push_back({std::string(cell), static_cast<std::uint32_t>(from + 1)});
    if (comma == line.size()) return cells;
    at = comma + 1;
  }
}

/// Makes nodes of the cells of one file.
class CsvTrace {
 public:
  CsvTrace(const std::string& file, input::Diagnostics& diagnostics)
      : file_(std::make_shared<const std::string>(file)), diagnostics_(diagnostics) {}

  Node read(std::string_view text) {
    Node list = make(Node::Kind::kList, {1, 1});
    std::istringstream in{std::string(text)};
    std::string line;
    for (line_ = 1; std::getline(in, line); ++line_) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line_ == 1) {
        if (line != kColumns) fail(1, "expected the columns " + std::string(kColumns));
      } else if (!line.empty()) {
        add_row(cut(line), list);
      }
    }
    return list;
  }

 private:
  void fail(std::uint32_t column, const std::string& message) {
    diagnostics_.error({*file_, {line_, column}, {}}, message);
  }

  Node make(Node::Kind kind, Position position) const {
    Node node;
    node.kind = kind;
    node.position = position;
    node.file = file_;
    return node;
  }

  Node scalar(const Cell& cell) const {
    Node node = make(Node::Kind::kScalar, {line_, cell.column});
    node.text = cell.text;
    return node;
  }

  void put(Node& map, std::string_view key, Node value) const {
    const Position position = value.position;
    map.members.push_back({std::string(key), position, std::move(value)});
  }

  void add_row(const std::vector<Cell>& cells, Node& list) {
    if (cells.size() < 4 || cells.size() > 5) {
      fail(1,
           "has " + std::to_string(cells.size()) + " columns; expected " + std::string(kColumns));
      return;
    }
    const Cell& operation = cells[2];
    const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                  [&](const Row& one) { return one.operation == operation.text; });
    if (row == std::end(kRows)) {
      std::vector<std::string> known;
      for (const Row& one : kRows) known.emplace_back(one.operation);
      fail(operation.column, "there is no operation \"" + operation.text + "\"; " +
                                 input::suggestion(operation.text, known));
      return;
    }
    const bool has_value = cells.size() == 5 && !cells[4].text.empty();
    if (has_value && row->value_key.empty()) {
      fail(cells[4].column, operation.text + " takes no value");
      return;
    }
    list.items.push_back(entry(cells, *row, has_value));
  }

  Node entry(const std::vector<Cell>& cells, const Row& row, bool has_value) const {
    const bool needs_map = has_value || row.operation == "store" || row.operation == "exchange" ||
                           row.operation == "fetch_and" || row.operation == "fetch_or" ||
                           row.operation == "spin";
    Node argument = scalar(cells[3]);
    if (needs_map) {
      Node map = make(Node::Kind::kMap, argument.position);
      put(map, row.target_key, std::move(argument));
      if (has_value) put(map, row.value_key, scalar(cells[4]));
      argument = std::move(map);
    }
    Node step = make(Node::Kind::kMap, {line_, cells[2].column});
    put(step, row.operation, std::move(argument));
    Node steps = make(Node::Kind::kList, step.position);
    steps.items.push_back(std::move(step));
    Node entry = make(Node::Kind::kMap, {line_, 1});
    put(entry, "at", scalar(cells[0]));
    put(entry, "thread", scalar(cells[1]));
    put(entry, "do", std::move(steps));
    return entry;
  }

  std::shared_ptr<const std::string> file_;
  input::Diagnostics& diagnostics_;
  std::uint32_t line_ = 0;
};

}  // namespace

Node load_csv_trace(const std::filesystem::path& file, input::Diagnostics& diagnostics) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (in && std::filesystem::is_regular_file(file, ignored)) {
    std::ostringstream all;
    all << in.rdbuf();
    text = all.str();
  }
  Node nothing;
  nothing.kind = Node::Kind::kList;
  if (!in || text.empty()) {
    diagnostics.error({file.string(), {}, {}}, "cannot be read, or is empty");
    return nothing;
  }
  if (text.size() > kLargestFile) {
    diagnostics.error({file.string(), {}, {}}, "is larger than the 64 MiB that a trace may have");
    return nothing;
  }
  if (const auto bad = input::first_bad_character(text)) {
    diagnostics.error({file.string(), bad->position, {}}, bad->message);
    return nothing;
  }
  return CsvTrace(file.string(), diagnostics).read(text);
}

}  // namespace hotline::workload
