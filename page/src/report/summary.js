// The first thing to see: what the selected run comes to, in a few numbers and a sentence.

import { h } from "../common/dom.js";
import * as format from "../common/format.js";

function stat(name, value, note, hot) {
  return h("div", { class: hot ? "stat hot" : "stat" }, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : null));
}

/** "ns.msg_bytes.count, ns.msg_hdrs.count" may be long; its first names say enough here. */
function shortName(name) {
  return name.length > 44 ? name.slice(0, 42).replace(/[,\s]+\S*$/, "") + " …" : name;
}

function mostWaiting(results, selection) {
  let best = null;
  for (const row of results.of("functions", selection)) {
    const waits = row.lock_wait + row.line_stall;
    const all = row.work + row.lock_wait + row.line_stall + row.scheduling + row.other;
    const share = all > 0 ? (row.share * waits) / all : 0;
    if (share > (best?.share ?? 0)) best = { name: row.function, share };
  }
  return best;
}

export function summaryStrip(results, selection) {
  const summary = results.summary(selection);
  const contrast = results.of("ratios", selection)[0];
  const [line] = results.of("lines", selection);
  const most = mostWaiting(results, selection);
  const interval = summary.rate_low === null ? "one replication"
    : `95 %: ${format.number(summary.rate_low)} to ${format.number(summary.rate_high)}`;
  const unsteady = Math.abs(summary.drift) > 0.1;
  return [
    h("dl", { class: "stats" },
      stat(`${results.work} per second`, format.number(summary.rate), interval),
      contrast && contrast.ratio !== null ? stat(`over ${contrast.baseline}`, format.ratio(contrast.ratio),
        contrast.ratio_low === null ? contrast.verdict
          : `${contrast.verdict}; ${format.ratio(contrast.ratio_low)} to ${format.ratio(contrast.ratio_high)}`) : null,
      line && line.stalled > 0 ? stat("hottest line", format.percent(line.cpu_share), `of CPU time: ${shortName(line.line)}`, line.cpu_share > 25) : null,
      most ? stat("most waiting", format.percent(most.share), `of thread time: ${most.name}`, most.share > 25) : null,
      stat("fairness", summary.jain.toFixed(3), "Jain's index")),
    unsteady ? h("p", { class: "notice" }, h("b", {}, "Not steady. "),
      `The rate changed by ${format.percent(Math.abs(100 * summary.drift))} from the first half of the measured time to the second: ` +
      "this is a transient and no prediction. Measure longer.") : null,
  ];
}
