// Who waits for a lock and who holds it, in the first moments that were measured.

import { axis, chart, grid, legend } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";

const kMostThreads = 48;
const kStates = { waits: ["waits for a lock", "account-wait"], holds: ["holds a lock", "account-work"] };

/** A span as a bar on its thread's row, cut at the edges of the chart. */
function bar(rows, fill) {
  return (params, api) => {
    const span = rows[params.dataIndex];
    const [x, y] = api.coord([span.from, api.value(2)]);
    const [end] = api.coord([span.to, api.value(2)]);
    const { x: left, width } = params.coordSys;
    const tall = Math.min(16, api.size([0, 1])[1] * 0.7);
    const begin = Math.max(x, left);
    return {
      type: "rect",
      shape: { x: begin, y: y - tall / 2, width: Math.max(1, Math.min(end, left + width) - begin), height: tall, r: 1.5 },
      style: { fill },
    };
  };
}

export function timelineSection(results, state) {
  if (results.rows("timeline").length === 0) return null;
  return {
    id: "timeline", title: "Timeline",
    lead: "The first acquisitions of the first replication, from the moment measuring began. Where one bar of holding ends and the next begins, the lock is handed over.",
    dynamic: () => {
      const all = results.of("timeline", state.selection);
      if (all.length === 0) return h("p", { class: "quiet" }, "No lock was held or waited for here.");
      const order = results.of("threads", state.selection).map((row) => row.thread);
      const threads = order.filter((thread) => all.some((row) => row.thread === thread)).slice(0, kMostThreads);
      const rows = all.filter((row) => threads.includes(row.thread));
      const end = Math.max(...rows.map((row) => row.to));
      return h("figure", {}, h("figcaption", {}, `${state.selection.variant}, ${threads.length} of ${order.length} threads, the first ${format.duration(end)}`), chart({
        label: `Timeline of ${threads.length} threads over ${format.duration(end)}: ${rows.length} stretches of waiting for or holding a lock`,
        height: 70 + Math.max(110, 17 * threads.length),
        make: () => ({
          legend: legend(Object.values(kStates).map(([name]) => name)),
          grid: grid({ left: 4, right: 20, top: 34, bottom: 26 }),
          tooltip: { trigger: "item", formatter: ({ data }) => data.text },
          xAxis: axis({ type: "value", min: 0, max: end, name: "since measuring began", nameLocation: "middle", nameGap: 26,
            axisLabel: { color: colour("soft"), hideOverlap: true, formatter: format.duration } }),
          yAxis: axis({ type: "category", data: threads, inverse: true, axisTick: { show: false },
            axisLabel: { color: colour("soft"), hideOverlap: true, fontSize: 11 } }),
          series: Object.entries(kStates).map(([name, [shown, fill]]) => {
            const own = rows.filter((row) => row.state === name);
            return { type: "custom", name: shown, itemStyle: { color: colour(fill) }, renderItem: bar(own, colour(fill)), encode: { x: [0, 1], y: 2 },
              data: own.map((row) => ({ value: [row.from, row.to, row.thread],
                text: `<b>${row.thread}</b> ${name} ${row.lock}<br>${format.duration(row.to - row.from)}, from ${format.duration(row.from)}` })) };
          }),
        }),
      }));
    },
  };
}
