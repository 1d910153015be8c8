// Where the time goes: by account at every point, and by function at the selected one.

import { axis, chart, grid, legend, legendHeight } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";
import { accountColour } from "./data.js";

const kFunctions = 12;

/** Several accounts of one colour (stalls by distance) get paler from one to the next. */
function shades(accounts) {
  const seen = {};
  return accounts.map((account) => {
    const name = accountColour(account);
    seen[name] = (seen[name] ?? 0) + 1;
    return { color: colour(name), opacity: Math.max(0.35, 1 - 0.2 * (seen[name] - 1)),
      borderColor: colour("paper"), borderWidth: 1 };
  });
}

function accountsChart(results, state) {
  const variant = state.selection.variant;
  const rows = results.rows("accounts").filter((row) => row.variant === variant);
  const accounts = [...new Set(rows.map((row) => row.account))];
  const points = results.points.map((point) => point.threads);
  const label = `Time of all threads of ${variant} by account: ` + rows
    .filter((row) => row.threads === state.selection.threads)
    .map((row) => `${row.account} ${format.percent(row.share)}`).join(", ");
  return chart({
    label,
    height: (width) => legendHeight(accounts, width) + (points.length === 1 ? 80 : width < 500 ? 30 + 30 * points.length : 286),
    make: (width) => {
      const style = shades(accounts);
      const flat = points.length === 1 || width < 500;
      const category = axis({ type: "category", data: points.map(String), inverse: flat && points.length > 1,
        name: points.length > 1 && !flat ? "threads" : "", nameLocation: "middle", nameGap: 26,
        axisLabel: { color: colour("soft"), hideOverlap: true,
          formatter: (text) => text === String(state.selection.threads) ? `{on|${text}}` : text,
          rich: { on: { color: colour("accent"), fontWeight: "bold", fontSize: 12 } } } });
      const value = axis({ type: "value", max: 100, axisLabel: { color: colour("soft"), formatter: "{value} %" } });
      return {
        legend: legend(accounts, { selectedMode: false }),
        grid: grid({ left: 6, right: 20, top: legendHeight(accounts, width), bottom: flat ? 6 : 26 }),
        tooltip: { trigger: "axis", axisPointer: { type: "shadow", shadowStyle: { color: colour("faint"), opacity: 0.5 } },
          valueFormatter: format.percent },
        xAxis: flat ? value : category, yAxis: flat ? category : value,
        series: accounts.map((account, i) => ({
          type: "bar", stack: "all", name: account, barCategoryGap: "12%", itemStyle: style[i],
          data: points.map((threads) => rows.find((row) => row.account === account && row.threads === threads)?.share ?? 0),
        })),
      };
    },
  });
}

function functionsChart(results, selection) {
  const all = results.of("breakdown", selection).filter((row) => row.function !== "");
  const share = (name) => all.filter((row) => row.function === name).reduce((sum, row) => sum + row.share, 0);
  const names = [...new Set(all.map((row) => row.function))].slice(0, kFunctions).reverse();
  if (names.length === 0) return null;
  const kinds = results.of("breakdown", selection).filter((row) => row.function === "").map((row) => row.kind);
  return h("figure", {}, h("figcaption", {}, `self time by function, ${selection.threads} threads`), chart({
    label: "Self time by function: " + [...names].reverse().map((name) => `${name} ${format.percent(share(name))}`).join(", "),
    height: 34 + 30 * names.length,
    make: (width) => {
      const style = shades(kinds);
      return {
        grid: grid({ left: 6, right: 56, top: 4, bottom: 4 }),
        tooltip: { trigger: "axis", axisPointer: { type: "none" }, valueFormatter: format.percent },
        xAxis: axis({ type: "value", axisLabel: { color: colour("soft"), hideOverlap: true, formatter: "{value} %" } }),
        yAxis: axis({ type: "category", data: names,
          axisLabel: { color: colour("ink"), width: width < 500 ? 120 : 220, overflow: "truncate" } }),
        series: kinds.map((kind, i) => ({
          type: "bar", stack: "self", name: kind, barMaxWidth: 20, itemStyle: style[i],
          data: names.map((name) => all.find((row) => row.function === name && row.kind === kind)?.share ?? 0),
          label: i === kinds.length - 1 ? { show: true, position: "right", color: colour("ink"),
            formatter: ({ dataIndex }) => format.percent(share(names[dataIndex])) } : undefined,
        })),
      };
    },
  }));
}

export function breakdownSection(results, state) {
  if (results.rows("accounts").length === 0) return null;
  return {
    id: "time", title: "Where the time goes",
    lead: "Every simulated nanosecond of every thread is booked once; what it was stalled for, by where the line came from.",
    dynamic: () => h("div", { class: "pair" },
      h("figure", {}, h("figcaption", {}, `time of all threads, ${state.selection.variant}`), accountsChart(results, state)),
      functionsChart(results, state.selection)),
  };
}
