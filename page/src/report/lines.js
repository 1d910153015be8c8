// Lines of memory: which are hot, over what distances they travel, and whose fields they hold.

import { h } from "../common/dom.js";
import * as format from "../common/format.js";
import { sortableTable } from "../common/table.js";

const kColumns = [
  ["line", "line", "text"],
  ["cpu_share", "CPU", "%", true],
  ["stall_share", "of stalls", "%", true],
  ["transfers", "transfers", "count"],
  ["reads", "read misses", "count"],
  ["ownerships", "write misses", "count"],
  ["invalidations", "invalidations", "count"],
  ["from_memory", "from memory", "count"],
];

function bars(title, rows) {
  if (rows.length === 0) return null;
  return h("div", { class: "bars" }, h("h4", {}, title), h("dl", {}, rows.map(([name, share, note]) => [
    h("dt", {}, name || "unnamed bytes"),
    h("dd", { style: { "--share": share.toFixed(1) + "%" } }, h("span", {}, `${format.percent(share)}${note ? ", " + note : ""}`)),
  ])));
}

export function linesSection(results, state) {
  if (results.rows("lines").length === 0) return null;
  return {
    id: "lines", title: "Hot lines",
    lead: "CPU is the time that CPUs stood still for the line. Unfold a line to see how far it travels and which field is to blame.",
    dynamic: () => {
      const { selection } = state;
      const transfers = results.of("transfers", selection);
      const words = results.of("words", selection);
      return sortableTable({
        caption: `Lines of memory, hottest first; ${selection.variant}, ${selection.threads} threads`,
        columns: kColumns.map(([key, title, unit, bar]) =>
          ({ key, title, unit, bar, hint: results.field("lines", key)?.description })),
        rows: results.of("lines", selection),
        few: 10,
        detail: (row) => h("div", { class: "pair" },
          bars("transfers by distance", transfers.filter((each) => each.line === row.line)
            .map((each) => [each.distance, each.share, format.number(each.transfers)])),
          bars("stalls by field", words.filter((each) => each.line === row.line)
            .map((each) => [each.word, each.share,
              `${format.number(each.read_misses)} reads, ${format.number(each.write_misses)} writes`]))),
      });
    },
  };
}
