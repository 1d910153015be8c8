#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/measure/table.hpp"

namespace hotline::report {

/// A result for machines to read: single facts, then tables.
struct Document {
  std::vector<std::pair<std::string, measure::Value>> facts;
  std::vector<measure::Table> tables;
  /// The files that went in, by name; in JSON only.
  std::vector<std::pair<std::string, std::string>> inputs = {};
};

/// Puts columns before all others that have the same value in every row, such as the variant.
[[nodiscard]] measure::Table with_context(
    measure::Table table, const std::vector<std::pair<measure::Field, measure::Value>>& context);

/// Adds the rows of `table` to the table of that name in `document`, or the table if there is none;
/// tables of one name have the same fields.
void append(Document& document, measure::Table table);

/// JSON: the facts as members, then for each table its description, its fields with unit and
/// description, and its rows as objects.
[[nodiscard]] std::string to_json(const Document& document);

/// CSV as RFC 4180 has it, one block a table, with two empty lines between blocks; a block begins
/// with a line "# name: description", then the names of the fields. The facts are the first block.
/// (gnuplot reads the blocks with `index`.)
[[nodiscard]] std::string to_csv(const Document& document);

}  // namespace hotline::report
