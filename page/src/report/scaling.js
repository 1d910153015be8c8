// Work per second over the number of threads, with bands and published figures.

import { axis, band, chart, grid, hue, legend, shape } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";

function escape(text) {
  return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** What was published at the points of this chart. */
function published(results, quantity) {
  return results.rows("published").filter((row) => row.threads !== null &&
    (quantity === "rate" ? row.unit === "1/s" && !row.baseline
      : row.unit === "ratio" && row.baseline === results.baseline));
}

function publishedSeries(rows, variants, show) {
  return rows.map((row) => ({
    type: "scatter", name: "published", symbol: shape(variants.indexOf(row.variant)), symbolSize: 13, z: 5,
    itemStyle: { color: colour("paper"), borderWidth: 2.5, borderColor: hue(variants.indexOf(row.variant)) },
    data: [[row.threads, row.published]],
    tooltip: {
      formatter: () => `<b>published</b>: ${escape(row.name)}<br>${escape(row.variant)} at ` +
        `${row.threads} threads: <b>${show(row.published)}</b>, simulated ${show(row.simulated)}` +
        `<br><small>${escape(row.source)}</small>`,
      extraCssText: "max-width:340px;white-space:normal",
    },
  }));
}

function curves(results, { quantity, variants, scale, selection }) {
  const all = results.variants;
  const show = quantity === "rate" ? (y) => format.number(y) + "/s" : format.ratio;
  const series = [];
  for (const variant of variants) {
    const points = quantity === "rate"
      ? results.curve("summary", variant).map((row) =>
        ({ x: row.threads, y: row.rate, low: row.rate_low, high: row.rate_high, label: row.label }))
      : results.curve("ratios", variant).map((row) =>
        ({ x: row.threads, y: row.ratio, low: row.ratio_low, high: row.ratio_high, label: row.label }));
    const own = hue(all.indexOf(variant));
    const spread = band(variant, points, own, scale);
    if (spread) series.push(spread);
    series.push({
      type: "line", name: variant, symbol: shape(all.indexOf(variant)), symbolSize: 8, z: 3,
      lineStyle: { width: 2.25, color: own }, itemStyle: { color: own },
      emphasis: { focus: "series" },
      data: points.map((point) => ({ value: [point.x, point.y],
        symbolSize: point.x === selection.threads ? 12 : 7,
        itemStyle: point.label ? { color: colour("paper"), borderColor: own, borderWidth: 2 } : undefined })),
      tooltip: {
        formatter: ({ dataIndex }) => {
          const { x, y, low, high, label } = points[dataIndex];
          const interval = low === null || low === undefined ? "" : `<br>95 %: ${show(low)} to ${show(high)}`;
          return `<b>${escape(variant)}</b> at ${x} threads<br>${show(y)}${interval}` +
            (label ? `<br><i>${escape(label)}</i>` : "");
        },
      },
    });
  }
  return { series: [...series, ...publishedSeries(published(results, quantity), all, show)], show };
}

function options(results, what, width) {
  const { series, show } = curves(results, what);
  const ticks = results.points.map((point) => point.threads);
  const many = what.variants.length > 1;
  const rows = many ? Math.ceil((what.variants.join("").length * 8 + what.variants.length * 46) / width) : 0;
  const zero = what.quantity === "ratio" && what.scale !== "log";
  return {
    aria: { enabled: false },
    legend: many ? legend(what.variants) : undefined,
    grid: grid({ left: 6, right: 22, top: 24 + Math.min(rows, 4) * 24, bottom: 26 }),
    tooltip: { trigger: "item" },
    xAxis: axis({
      type: "log", logBase: 2, name: "threads", nameLocation: "middle", nameGap: 26,
      min: Math.min(...ticks), max: Math.max(...ticks),
      axisTick: { customValues: ticks, lineStyle: { color: colour("rule") } },
      axisLabel: { customValues: ticks, color: colour("soft"), hideOverlap: true, fontSize: 12 },
      splitLine: { show: false },
    }),
    yAxis: axis({
      type: what.scale === "log" ? "log" : "value",
      axisLabel: { color: colour("soft"), formatter: (y) => what.quantity === "rate" ? format.number(y) : y + "×" },
    }),
    series: zero ? [...series, {
      type: "line", name: "as the baseline", silent: true, symbol: "none", z: 0, tooltip: { show: false },
      lineStyle: { color: colour("soft"), type: "dashed", width: 1 },
      data: [[Math.min(...ticks), 1], [Math.max(...ticks), 1]],
    }] : series,
    show,
  };
}

function figure(results, quantity, variants, title, state) {
  let scale = "value";
  const drawn = chart({
    label: title + "; the numbers are in the table below",
    height: (width) => Math.max(300, Math.min(440, width * 0.5)),
    make: (width) => options(results, { quantity, variants, scale, selection: state.selection }, width),
  });
  const log = h("input", { type: "checkbox", onchange: (event) => {
    scale = event.target.checked ? "log" : "value";
    drawn.redraw();
  } });
  state.listen(() => drawn.redraw());
  return h("figure", {}, h("figcaption", {}, h("span", {}, title), h("label", { class: "switch" }, log, " logarithmic")), drawn);
}

/** The one point of several variants as bars. */
function bars(results, title) {
  const rows = results.variants.map((variant) => results.rows("summary").find((row) => row.variant === variant))
    .sort((a, b) => a.rate - b.rate);
  return h("figure", {}, h("figcaption", {}, title), chart({
    label: title, height: 40 + 26 * rows.length,
    make: () => ({
      grid: grid({ left: 6, right: 64, top: 4, bottom: 4 }),
      tooltip: { trigger: "item", formatter: ({ dataIndex }) => {
        const row = rows[dataIndex];
        return `<b>${escape(row.variant)}</b><br>${format.number(row.rate)}/s` + (row.rate_low === null ? ""
          : `<br>95 %: ${format.number(row.rate_low)} to ${format.number(row.rate_high)}`);
      } },
      xAxis: axis({ type: "value", axisLabel: { color: colour("soft"), hideOverlap: true, formatter: format.number } }),
      yAxis: axis({ type: "category", data: rows.map((row) => row.variant), axisLabel: { color: colour("ink") } }),
      series: [{ type: "bar", barMaxWidth: 18,
        label: { show: true, position: "right", color: colour("ink"), formatter: ({ value }) => format.number(value) },
        data: rows.map((row) => ({ value: row.rate, itemStyle: { color: hue(results.variants.indexOf(row.variant)) } })) }],
    }),
  }));
}

function publishedTable(results) {
  const rows = results.rows("published");
  if (rows.length === 0) return null;
  const show = (value, row) => {
    if (value === null) return "–";
    return row.unit === "ratio" ? format.ratio(value) : format.value(value, row.unit);
  };
  return h("div", { class: "published" }, h("h3", {}, "Held against what was published"),
    h("ul", {}, rows.map((row) => h("li", {},
      h("b", {}, row.name), row.threads ? ` at ${row.threads} threads: ` : ": ",
      "published ", h("b", {}, show(row.published, row)), ", simulated ", h("b", {}, show(row.simulated, row)),
      row.error === null ? "" : [", ", h("span", { class: Math.abs(row.error) > 0.2 ? "hot" : "" },
        `${row.error > 0 ? "+" : "−"}${Math.abs(row.error * 100).toFixed(1)} %`)],
      row.calibrated === "yes" ? h("span", { class: "tag" }, "calibrated on it") : null,
      row.informational === "yes" ? h("span", { class: "tag" }, "for information") : null,
      h("small", {}, row.source)))));
}

function numbers(results) {
  const { variants, points } = results;
  const cell = (row) => h("td", { class: "number" }, row ? format.number(row.rate) : "",
    row && Math.abs(row.drift) > 0.1 ? h("abbr", { title: "not steady: a transient, no prediction" }, " ~") : "");
  return h("details", {}, h("summary", {}, `${results.work} per second in numbers`),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "rates" }, h("table", {},
      h("caption", {}, "Mean work per simulated second; ~ marks a rate that was not steady"),
      h("thead", {}, h("tr", {}, h("th", { class: "text", scope: "col" }, "threads"),
        variants.map((variant) => h("th", { class: "number", scope: "col" }, variant)))),
      h("tbody", {}, points.map(({ threads, label }) => h("tr", {},
        h("th", { class: "text", scope: "row" }, String(threads), label ? h("small", {}, " " + label) : ""),
        variants.map((variant) => cell(results.summary({ variant, threads })))))))));
}

export function scalingSection(results, state) {
  const { variants, points, work } = results;
  if (points.length < 2 && variants.length < 2) return null;
  const parts = [];
  if (points.length < 2) {
    parts.push(bars(results, `${work} per second, ${points[0].threads} threads`));
  } else {
    const rate = figure(results, "rate", variants, `${work} per second`, state);
    const ratios = results.rows("ratios");
    const others = variants.filter((variant) => ratios.some((row) => row.variant === variant));
    const baselines = new Set(ratios.map((row) => row.baseline));
    const against = others.length === 0 ? null
      : figure(results, "ratio", others, baselines.size === 1 ? `over ${results.baseline}` : "over the first variant", state);
    parts.push(h("div", { class: against ? "pair" : "" }, rate, against));
  }
  const hypothetical = points.some((point) => point.label);
  return {
    id: "scaling", title: points.length < 2 ? "Variants side by side" : "How it scales",
    lead: points.length < 2 ? null
      : "Shaded: the 95 % interval of the replications. Large open marks: published figures." +
        (hypothetical ? " Open marks on a curve: points with a note, such as a machine nobody has built." : ""),
    body: [...parts, publishedTable(results), numbers(results)],
  };
}
