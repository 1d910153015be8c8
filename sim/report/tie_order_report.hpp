#pragma once

#include <string>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// The same comparison with simultaneous events in another order.
struct Reordered {
  std::string order;  ///< "shuffle:3"
  std::vector<experiment::ComparedPoint> points;
};

/// Whether the verdicts hold in all orders, and which do not.
[[nodiscard]] std::string tie_order_text(const experiment::Comparison& comparison,
                                         const std::vector<Reordered>& others, const Style& style);

/// The ratios in every order, table "tie_orders".
void append_tie_orders(Document& document, const std::vector<Reordered>& others);

}  // namespace hotline::report
