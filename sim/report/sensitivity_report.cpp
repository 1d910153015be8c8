#include "sim/report/sensitivity_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/svg.hpp"

namespace hotline::report {

using experiment::Parameter;
using experiment::Swing;

namespace {

/// A ratio with three decimals, a rate with a prefix.
std::string effect_text(double effect) {
  return effect < 1000 ? fmt::format("{:.3f}", effect) : si_text(effect);
}

struct SwingRow {
  std::string parameter, value, least, most;
  double at_least = 0, at_most = 0;
  std::optional<double> first, total;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("parameter", kText, "the figure", &SwingRow::parameter);
    field("value", kText, "as the files have it", &SwingRow::value);
    field("least", kText, "lower end of its range", &SwingRow::least);
    field("most", kText, "upper end of its range", &SwingRow::most);
    field("at_least", kRatio, "the effect there, all others as the files have them",
          &SwingRow::at_least);
    field("at_most", kRatio, "the effect at the upper end", &SwingRow::at_most);
    field("first", kRatio, "share of the effect's variance that it explains alone",
          &SwingRow::first);
    field("total", kRatio, "share with all interactions", &SwingRow::total);
  }
};

SwingRow row_of(const SensitivityResult& result, const Swing& swing) {
  const Parameter& one = result.parameters[swing.parameter];
  SwingRow row{one.name,
               one.text(one.value),
               one.text(one.least),
               one.text(one.most),
               swing.at_least,
               swing.at_most,
               {},
               {}};
  if (result.shares && !result.shares->indices.empty()) {
    row.first = result.shares->indices[swing.parameter].first;
    row.total = result.shares->indices[swing.parameter].total;
  }
  return row;
}

}  // namespace

std::string sensitivity_text(const SensitivityResult& result, const Style& style) {
  TextTable table;
  table.column("figure", Align::kLeft);
  for (const char* const title :
       {"value", "least", "most", "effect at least", "at most", "swing"}) {
    table.column(title, Align::kRight);
  }
  if (result.shares) {
    table.column("first", Align::kRight);
    table.column("total", Align::kRight);
  }
  for (const Swing& swing : result.tornado.swings) {
    const SwingRow row = row_of(result, swing);
    std::vector<std::string> cells{
        cut(row.parameter, 40),
        row.value,
        row.least,
        row.most,
        effect_text(row.at_least),
        effect_text(row.at_most),
        fmt::format("{:.1f}%", 100 * swing.width / result.tornado.nominal)};
    if (row.first) {
      cells.push_back(fmt::format("{:.2f}", *row.first));
      cells.push_back(fmt::format("{:.2f}", *row.total));
    }
    table.row(std::move(cells));
  }
  std::string text =
      style.heading(result.effect) + "\n" +
      fmt::format("with the values of the files: {}\n\n", effect_text(result.tornado.nominal)) +
      table.text(style);
  if (result.shares) {
    const auto& effect = result.shares->effect;
    text +=
        "\n" + wrap(fmt::format("{} evaluations; over all ranges together the median is {}, 95 % "
                                "lie between {} and {}. first, total: shares of the variance.",
                                result.shares->evaluations, effect_text(effect.mean),
                                effect_text(effect.low), effect_text(effect.high)));
  }
  return text;
}

Document sensitivity_document(const SensitivityResult& result) {
  Document document;
  document.facts = {{"effect", result.effect}, {"nominal", result.tornado.nominal}};
  if (result.shares) {
    document.facts.emplace_back("median", result.shares->effect.mean);
    document.facts.emplace_back("low", result.shares->effect.low);
    document.facts.emplace_back("high", result.shares->effect.high);
  }
  std::vector<SwingRow> rows;
  for (const Swing& swing : result.tornado.swings) rows.push_back(row_of(result, swing));
  append(document, measure::tabulate<SwingRow>("swings", "figures moved over their ranges", rows));
  return document;
}

std::string tornado_svg(const SensitivityResult& result) {
  constexpr double kLeft = 250;
  constexpr double kWidth = 760;
  constexpr double kTop = 60;
  constexpr double kBar = 22;
  constexpr std::size_t kMost = 30;
  const auto& swings = result.tornado.swings;
  const std::size_t bars = std::min(swings.size(), kMost);
  double least = result.tornado.nominal;
  double most = result.tornado.nominal;
  for (const Swing& one : swings) {
    least = std::min({least, one.at_least, one.at_most});
    most = std::max({most, one.at_least, one.at_most});
  }
  const double width = most > least ? most - least : 1;
  const auto x = [&](double effect) {
    return kLeft + (kWidth - kLeft - 30) * (effect - least) / width;
  };
  const double bottom = kTop + kBar * static_cast<double>(bars);
  std::string text = svg::begin(kWidth, bottom + 40);
  text += svg::label(20, 24, "start", result.effect);
  for (std::size_t i = 0; i < bars; ++i) {
    const Swing& one = swings[i];
    const Parameter& parameter = result.parameters[one.parameter];
    const double y = kTop + kBar * static_cast<double>(i);
    text += svg::label(kLeft - 8, y + 14, "end", cut(parameter.name, 32));
    const std::pair<double, const char*> sides[] = {{one.at_least, "#0072b2"},
                                                    {one.at_most, "#d55e00"}};
    for (const auto& [effect, colour] : sides) {
      const double from = x(std::min(effect, result.tornado.nominal));
      const double to = x(std::max(effect, result.tornado.nominal));
      text += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" fill=\"{}\" "
          "fill-opacity=\"0.8\"/>\n",
          from, y + 2, to - from, colour);
    }
  }
  text += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#000000\"/>\n",
                      x(result.tornado.nominal), kTop - 6, bottom + 6);
  for (const double tick : {least, result.tornado.nominal, most}) {
    text += svg::label(x(tick), bottom + 22, "middle", effect_text(tick));
  }
  text += svg::label(kWidth - 30, kTop - 14, "end",
                     "blue: at the least value, orange: at the greatest");
  return text + "</svg>\n";
}

std::string uncertainty_text(const std::string& effect, double nominal,
                             const std::vector<double>& effects, std::size_t parameters) {
  const measure::Interval spread = experiment::spread_of(effects);
  return wrap(
      fmt::format("{}: {} with the values of the files; over the ranges of {} figures the median "
                  "is {}, and 95 % "
                  "of {} points lie between {} and {}.",
                  effect, effect_text(nominal), parameters, effect_text(spread.mean),
                  effects.size(), effect_text(spread.low), effect_text(spread.high)));
}

Document uncertainty_document(const std::string& effect, double nominal,
                              const std::vector<double>& effects) {
  const measure::Interval spread = experiment::spread_of(effects);
  return {{{"effect", effect},
           {"nominal", nominal},
           {"median", spread.mean},
           {"low", spread.low},
           {"high", spread.high},
           {"points", static_cast<std::uint64_t>(effects.size())}},
          {}};
}

}  // namespace hotline::report
