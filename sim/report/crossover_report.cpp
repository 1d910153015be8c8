#include "sim/report/crossover_report.hpp"

#include <fmt/format.h>

#include "sim/report/ratio_table.hpp"
#include "sim/report/text_table.hpp"
#include "sim/report/verdict.hpp"

namespace hotline::report {

using experiment::Crossing;
using measure::Unit;

namespace {

std::string crossing_text(const CrossoverResult& result, const Crossing& crossing) {
  const std::string& before = crossing.faster_after ? result.baseline : result.variant;
  const std::string& after = crossing.faster_after ? result.variant : result.baseline;
  std::string text = fmt::format("{} is faster up to {}={}, {} from {}={} on", before, result.path,
                                 crossing.last, after, result.path, crossing.first);
  if (crossing.unclear_from > crossing.unclear_to) return text;
  if (crossing.unclear_from == crossing.unclear_to) {
    return text + fmt::format("; at {} no difference is shown", crossing.unclear_from);
  }
  return text + fmt::format("; from {} to {} no difference is shown", crossing.unclear_from,
                            crossing.unclear_to);
}

std::string no_crossing_text(const CrossoverResult& result) {
  const bool faster = result.seen.begin()->second.ratio.mean > 1;
  return fmt::format(
      "{} and {} do not swap places from {}={} to {}: the mean rate of {} is never "
      "the higher one",
      result.baseline, result.variant, result.path, result.seen.begin()->first,
      result.seen.rbegin()->first, faster ? result.baseline : result.variant);
}

}  // namespace

std::string crossover_text(const CrossoverResult& result) {
  std::string text;
  for (const Crossing& crossing : result.crossings) text += wrap(crossing_text(result, crossing));
  if (result.crossings.empty()) text += wrap(no_crossing_text(result));
  TextTable table;
  table.column(result.path, Align::kRight);
  table.column(result.variant + " / " + result.baseline, Align::kRight);
  table.column("verdict", Align::kLeft);
  for (const auto& [value, contrast] : result.seen) {
    table.row({std::to_string(value), ratio_text(contrast.ratio), verdict_text(contrast)});
  }
  return text + "\n" + table.text({});
}

Document crossover_document(const std::string& workload,
                            const std::vector<CrossoverResult>& results) {
  Document document;
  document.facts = {{"workload", workload}};
  measure::Table crossings{"crossings",
                           "where variants swap places",
                           {{"path", Unit::kText, "what was varied"},
                            {"baseline", Unit::kText, "the first variant"},
                            {"variant", Unit::kText, "the other"},
                            {"last", Unit::kCount, "last value at which the first one is faster"},
                            {"faster_up_to_last", Unit::kText, "the variant that is faster so far"},
                            {"unclear_from", Unit::kCount, "from here no difference is shown"},
                            {"unclear_to", Unit::kCount, "up to here; empty if all is clear"}},
                           {}};
  for (const CrossoverResult& result : results) {
    for (const Crossing& crossing : result.crossings) {
      const bool unclear = crossing.unclear_from <= crossing.unclear_to;
      const auto bound = [&](std::uint64_t value) {
        return unclear ? measure::Value(value) : measure::Value();
      };
      crossings.rows.push_back({result.path, result.baseline, result.variant, crossing.last,
                                crossing.faster_after ? result.baseline : result.variant,
                                bound(crossing.unclear_from), bound(crossing.unclear_to)});
    }
  }
  append(document, std::move(crossings));
  for (const CrossoverResult& result : results) {
    for (const auto& [value, contrast] : result.seen) {
      append(document, with_context(ratio_table({&contrast, 1}, result.baseline),
                                    {{{"path", Unit::kText, "what was varied"}, result.path},
                                     {{"value", Unit::kCount, "its value"}, value}}));
    }
  }
  return document;
}

}  // namespace hotline::report
