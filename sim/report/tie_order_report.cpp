#include "sim/report/tie_order_report.hpp"

#include <fmt/format.h>

#include "sim/report/ratio_table.hpp"
#include "sim/report/verdict.hpp"

namespace hotline::report {

using experiment::ComparedPoint;
using experiment::Comparison;
using experiment::Contrast;

std::string tie_order_text(const Comparison& comparison, const std::vector<Reordered>& others,
                           const Style& style) {
  std::string text = "\n" + style.heading("Other orders of simultaneous events") + "\n";
  std::string broken;
  for (const Reordered& other : others) {
    for (std::size_t p = 0; p < comparison.points.size(); ++p) {
      const ComparedPoint& point = comparison.points[p];
      for (std::size_t c = 0; c < point.contrasts.size(); ++c) {
        const Contrast& now = other.points[p].contrasts[c];
        if (now.verdict() == point.contrasts[c].verdict()) continue;
        broken +=
            wrap(fmt::format("at {} threads, in order: {}; {}: {}", point.threads,
                             verdict_text(point.contrasts[c]), other.order, verdict_text(now)),
                 2);
      }
    }
  }
  if (broken.empty()) {
    return text + fmt::format("  every verdict holds in {} shuffled orders ({} to {})\n",
                              others.size(), others.front().order, others.back().order);
  }
  return text + style.bad("  not every verdict holds") + "\n" + broken;
}

void append_tie_orders(Document& document, const std::vector<Reordered>& others) {
  for (const Reordered& other : others) {
    for (const ComparedPoint& point : other.points) {
      measure::Table table = with_context(
          ratio_table(point.contrasts, point.outcomes.front().variant),
          {{{"order", measure::Unit::kText, "of simultaneous events"}, other.order},
           {{"threads", measure::Unit::kCount, "simulated threads"}, std::uint64_t{point.threads}},
           {{"label", measure::Unit::kText, "what the workload says about the point"},
            point.label}});
      table.name = "tie_orders";
      table.description = "the ratios with simultaneous events in other orders";
      append(document, std::move(table));
    }
  }
}

}  // namespace hotline::report
