// Locks: the table, and how long acquisitions waited.

import { axis, chart, grid, hue, legend, shape } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";
import { sortableTable } from "../common/table.js";

const kColumns = [
  ["name", "lock", "text"],
  ["cpu_share", "CPU", "%", true],
  ["contention", "contended", "%", true],
  ["utilisation", "held", "%"],
  ["wait_mean", "wait mean", "ns"],
  ["wait_p99", "wait p99", "ns"],
  ["wait_max", "wait max", "ns"],
  ["hold_mean", "hold mean", "ns"],
  ["hold_max", "hold max", "ns"],
  ["total", "acquired", "count"],
];

function locksTable(results, selection) {
  let lock = null;
  const rows = results.of("locks", selection).map((row) => {
    const site = row.lock === lock;
    lock = row.lock;
    const many = row.instances > 1 ? ` ×${row.instances}` : "";
    return { ...row, name: site ? `${row.lock} · ${row.site}` : `${row.lock}${many}` };
  });
  return sortableTable({
    caption: `Locks and their call sites, most waited for first; ${selection.variant}, ${selection.threads} threads`,
    columns: kColumns.map(([key, title, unit, bar]) => ({ key, title, unit, bar,
      hint: results.field("locks", key)?.description ?? "lock, and the function that acquires it" })),
    rows,
  });
}

function waitsChart(results, state, lock) {
  const threads = state.selection.threads;
  const present = results.variants.map((variant) => [variant,
    results.of("waits", { variant, threads }).filter((row) => row.lock === lock)]).filter(([, rows]) => rows.length > 0);
  const least = Math.min(...present.flatMap(([, rows]) => rows.map((row) => row.from)));
  const most = Math.max(...present.flatMap(([, rows]) => rows.map((row) => row.to)));
  return chart({
    label: `How long acquisitions of ${lock} waited, at ${threads} threads, from ${format.duration(least)} to ${format.duration(most)}`,
    height: (width) => (width < 500 ? 280 : 300),
    make: () => ({
      legend: legend(present.map(([variant]) => variant)),
      grid: grid({ left: 6, right: 24, top: 40, bottom: 26 }),
      tooltip: { trigger: "item", formatter: ({ seriesName, data }) => `<b>${seriesName}</b><br>${data.text}` },
      xAxis: axis({ type: "log", min: Math.max(least / 1.2, 0.01), max: most, name: "wait", nameLocation: "middle", nameGap: 26,
        axisLabel: { color: colour("soft"), hideOverlap: true, formatter: format.duration } }),
      yAxis: axis({ type: "value", axisLabel: { color: colour("soft"), formatter: "{value} %" } }),
      series: present.map(([variant, rows]) => {
        const i = results.variants.indexOf(variant);
        const all = rows.reduce((sum, row) => sum + row.waits, 0);
        return {
          type: "line", name: variant, symbol: shape(i), symbolSize: 5, smooth: 0.25, smoothMonotone: "x",
          lineStyle: { width: 2, color: hue(i), opacity: variant === state.selection.variant ? 1 : 0.7 },
          itemStyle: { color: hue(i) }, areaStyle: { color: hue(i), opacity: 0.1 },
          data: rows.map((row) => ({
            value: [Math.sqrt(Math.max(row.from, row.to / 2) * row.to), (100 * row.waits) / all],
            text: `${format.percent((100 * row.waits) / all)} of its ${format.number(all)} waits took ` +
              `${format.duration(row.from)} to ${format.duration(row.to)}`,
          })),
        };
      }),
    }),
  });
}

function waits(results, state) {
  const names = [...new Set(results.of("waits", state.selection).map((row) => row.lock))];
  if (names.length === 0) return h("p", { class: "quiet" }, "No acquisition had to wait here.");
  state.lock = names.includes(state.lock) ? state.lock : names[0];
  const place = h("div", {});
  const show = () => {
    place.firstChild?.dispose();
    place.replaceChildren(waitsChart(results, state, state.lock));
  };
  const choice = h("select", { "aria-label": "lock", onchange: (event) => {
    state.lock = event.target.value;
    show();
  } }, names.map((name) => h("option", { selected: name === state.lock }, name)));
  show();
  return h("figure", {}, h("figcaption", {}, h("label", {}, "waits for ", choice), h("span", { class: "quiet" }, "share of the waits, four steps an octave")), place);
}

export function locksSection(results, state) {
  if (results.rows("locks").length === 0) return null;
  return {
    id: "locks", title: "Locks",
    lead: "Held and CPU are shares of the measured time; waits are those of acquisitions that found the lock held.",
    dynamic: () => [locksTable(results, state.selection), waits(results, state)],
  };
}
