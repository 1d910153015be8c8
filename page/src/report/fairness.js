// What each thread got done.

import { axis, chart, grid, hue } from "../common/chart.js";
import { colour, h } from "../common/dom.js";
import * as format from "../common/format.js";

export function fairnessSection(results, state) {
  if (results.rows("threads").length === 0) return null;
  return {
    id: "fairness", title: "Fairness",
    lead: "Work of each thread in the order of the CPUs, coloured by NUMA node. Jain's index is 1 if all got the same, and 1/n if one got everything.",
    dynamic: () => {
      const { selection } = state;
      const rows = [...results.of("threads", selection)].sort((a, b) => a.node - b.node || a.cpu - b.cpu);
      const { jain, min_over_max: least } = results.summary(selection);
      const mean = rows.reduce((sum, row) => sum + row.work_done, 0) / Math.max(rows.length, 1);
      const nodes = [...new Set(rows.map((row) => row.node))];
      return [
        h("dl", { class: "facts" }, [["Jain's index", jain.toFixed(3)], ["least over most", format.percent(100 * least)],
          ["mean per thread", format.number(mean)]].map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        h("figure", {}, h("figcaption", {}, `${results.work} done by each thread, ${selection.variant}`), chart({
          label: `Work of ${rows.length} threads; Jain's index ${jain.toFixed(3)}, least over most ${format.percent(100 * least)}`,
          height: 220,
          make: () => ({
            grid: grid({ left: 6, right: 12, top: 12, bottom: 26 }),
            tooltip: { trigger: "item", formatter: ({ dataIndex }) => {
              const row = rows[dataIndex];
              return `<b>${row.thread}</b><br>CPU ${row.cpu}, node ${row.node}<br>${format.number(row.work_done)} ${results.work}`;
            } },
            xAxis: axis({ type: "category", data: rows.map((row) => row.cpu), name: "CPU", nameLocation: "middle", nameGap: 26, axisTick: { show: false } }),
            yAxis: axis({ type: "value", axisLabel: { color: colour("soft"), formatter: format.number } }),
            series: [{ type: "bar", barCategoryGap: rows.length > 200 ? "0%" : "15%", large: false,
              data: rows.map((row) => ({ value: row.work_done, itemStyle: { color: hue(nodes.indexOf(row.node)) } })) },
            { type: "line", silent: true, symbol: "none", tooltip: { show: false }, lineStyle: { color: colour("ink"), type: "dashed", width: 1 },
              data: rows.map(() => mean) }],
          }),
        })),
      ];
    },
  };
}
