// What CPUs, locks and cache lines do, in the first moments that were measured.

import { axis, chart, grid, legend, legendHeight } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";

const kStates = {
  running: ["a thread runs", "account-work"],
  waiting: ["waits for a lock", "account-wait"],
  blocked: ["blocked", "account-blocked"],
  held: ["held", "account-scheduling"],
  owned: ["owned by a core", "account-stall"],
  shared: ["shared", "account-idle"],
};
/** Kinds of tracks, and how many of each are drawn: those with most to show. */
const kKinds = [["cpu", "CPUs", 48], ["lock", "locks", 8], ["line", "cache lines", 8]];

/** A stretch as a bar on its track's row, cut at the edges of the chart. */
function bar(fill, low) {
  return (params, api) => {
    const [x, y] = api.coord([api.value(0), api.value(2)]);
    const [end] = api.coord([api.value(1), api.value(2)]);
    const { x: left, width } = params.coordSys;
    const tall = Math.min(16, api.size([0, 1])[1] * 0.7) * (low ? 0.55 : 1);
    const begin = Math.max(x, left);
    return {
      type: "rect",
      shape: { x: begin, y: y - tall / 2, width: Math.max(1, Math.min(end, left + width) - begin), height: tall, r: 1.5 },
      style: { fill, stroke: colour("paper"), lineWidth: 0.5 },
    };
  };
}

function tracksOf(rows, most) {
  const stretches = new Map();
  for (const row of rows) stretches.set(row.track, (stretches.get(row.track) ?? 0) + 1);
  const all = [...stretches.keys()];
  const chosen = [...all].sort((a, b) => stretches.get(b) - stretches.get(a)).slice(0, most);
  return { all, shown: all.filter((track) => chosen.includes(track)).sort((a, b) => a.localeCompare(b, "en", { numeric: true })) };
}

function tracksChart(rows, tracks, end, what) {
  const drawn = rows.filter((row) => tracks.includes(row.track));
  const states = Object.keys(kStates).filter((state) => drawn.some((row) => row.state === state));
  const names = states.map((state) => kStates[state][0]);
  return chart({
    label: `Timeline of ${tracks.length} ${what} over ${format.duration(end)}: ${drawn.length} stretches`,
    height: (width) => legendHeight(names, width) + 40 + Math.max(36, 19 * tracks.length),
    make: (width) => ({
      legend: legend(names),
      grid: grid({ left: 4, right: 20, top: legendHeight(names, width), bottom: 26 }),
      tooltip: { trigger: "item", formatter: ({ data }) => data.text },
      xAxis: axis({ type: "value", min: 0, max: end, name: "since measuring began", nameLocation: "middle", nameGap: 26,
        axisLabel: { color: colour("soft"), hideOverlap: true, formatter: format.duration } }),
      yAxis: axis({ type: "category", data: tracks, inverse: true, axisTick: { show: false },
        axisLabel: { color: colour("soft"), hideOverlap: true, fontSize: 11, width: width < 500 ? 90 : 240, overflow: "truncate" } }),
      series: states.map((state) => {
        const [shown, fill] = kStates[state];
        return { type: "custom", name: shown, itemStyle: { color: colour(fill) }, encode: { x: [0, 1], y: 2 },
          renderItem: bar(colour(fill), state === "waiting" && what === "CPUs"),
          data: drawn.filter((row) => row.state === state).map((row) => ({ value: [row.from, row.to, row.track],
            text: `<b>${row.track}</b>: ${row.state === "running" ? `${row.what} runs` : row.state === "held" ? `held by ${row.what}` : row.what}<br>${format.duration(row.to - row.from)}, from ${format.duration(row.from)}` })) };
      }),
    }),
  });
}

export function timelineSection(results, state) {
  if (results.rows("timeline").length === 0) return null;
  return {
    id: "timeline", title: "Timeline",
    lead: "The first moments of the first replication, from where measuring began. Where one bar of holding ends and the next begins, the lock is handed over; where a line's owner changes, it has moved from core to core.",
    dynamic: () => {
      const all = results.of("timeline", state.selection);
      if (all.length === 0) return h("p", { class: "quiet" }, "Nothing was kept of this point.");
      const end = Math.max(...all.map((row) => row.to));
      return h("div", {}, kKinds.map(([of, what, most]) => {
        const rows = all.filter((row) => row.of === of);
        const tracks = tracksOf(rows, most);
        return tracks.all.length === 0 ? null : h("figure", {},
          h("figcaption", {}, `${state.selection.variant}: ${tracks.shown.length} of ${tracks.all.length} ${what}, the first ${format.duration(end)}`),
          tracksChart(rows, tracks.shown, end, what));
      }));
    },
  };
}
