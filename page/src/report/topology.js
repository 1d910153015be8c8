// The machine with its links, coloured by the lines that they carry, and its cores, coloured by the
// time their threads wait.

import { h, svg } from "../common/dom.js";
import * as format from "../common/format.js";

/** 0 to 1 on the colour scale from cool to hot; the style sheet mixes it. */
const heat = (share) => ({ "--heat": (100 * Math.min(1, Math.max(0, share))).toFixed(0) + "%" });

class Machine {
  constructor(row, threads) {
    Object.assign(this, row);
    this.nodes = row.sockets * row.nodes_per_socket;
    this.cores = row.sockets * row.clusters_per_socket * row.cores_per_cluster;
    this.coresPerNode = this.cores / this.nodes;
    this.waiting = new Map();
    for (const thread of threads) {
      const times = ["work", "lock_wait", "line_stall", "scheduling", "other"].map((key) => thread[key] ?? 0);
      const all = times.reduce((sum, each) => sum + each, 0);
      const core = this.coreOf(thread.cpu);
      const known = this.waiting.get(core) ?? { waits: 0, all: 0, threads: [] };
      known.waits += times[1] + times[2];
      known.all += all;
      known.threads.push(thread.thread);
      this.waiting.set(core, known);
    }
  }

  coreOf(cpu) {
    return this.numbering === "siblings last" ? cpu % this.cores : Math.floor(cpu / this.threads_per_core);
  }
}

/** Rows of boxes: how many beside each other, their sides, and the room that the links get. */
function layout(nodes, coresPerNode, width) {
  const wide = width >= 560;
  const many = nodes > 8;
  let columns = Math.ceil(Math.sqrt(nodes));
  if (nodes <= 2) columns = wide ? nodes : 1;
  if (nodes > 4 && nodes <= 8) columns = wide ? 4 : 2;
  const wished = Math.min(many ? 120 : 230, Math.max(many ? 80 : 140, 20 + 26 * Math.ceil(Math.sqrt(coresPerNode))));
  const narrow = many ? 14 : wide ? 110 : 64;
  const side = Math.max(14, Math.min(wished, (width - 24 - narrow * (columns - 1)) / columns));
  const room = (width - 24 - columns * side) / Math.max(columns - 1, 1);
  return { columns, lines: Math.ceil(nodes / columns), side, gap: Math.min(room, many ? 70 : 110) };
}

function cores(machine, node, { x, y, size }) {
  const first = node * machine.coresPerNode;
  const columns = Math.ceil(Math.sqrt(machine.coresPerNode));
  const pitch = size / columns;
  const side = Math.max(1.5, pitch - Math.max(1, pitch * 0.14));
  const cells = [];
  for (let i = 0; i < machine.coresPerNode; ++i) {
    const busy = machine.waiting.get(first + i);
    cells.push(svg("rect", {
      x: x + (i % columns) * pitch, y: y + Math.floor(i / columns) * pitch, width: side, height: side, rx: Math.min(2, side / 4),
      class: busy ? "core busy" : "core", style: busy ? heat(busy.waits / busy.all) : null,
    }, svg("title", {}, busy ? `core ${first + i}: ${busy.threads.slice(0, 4).join(", ")} wait${busy.threads.length > 1 ? "" : "s"} ${format.percent((100 * busy.waits) / busy.all)} of the time`
      : `core ${first + i}: no thread`)));
  }
  return cells;
}

function box(machine, node, place, shares) {
  const { x, y, side } = place;
  const small = side < 60;
  const head = small ? 0 : 24;
  const inner = side - (small ? 6 : 20);
  return svg("g", { class: "node" },
    svg("rect", { x, y, width: side, height: side + head, rx: small ? 3 : 8, class: "box" }),
    small ? null : svg("text", { x: x + 11, y: y + 19, class: "name" }, machine.nodes_per_socket > 1
      ? `node ${node}, socket ${Math.floor(node / machine.nodes_per_socket)}` : `socket ${node}`),
    small || side < 138 || shares[node] === undefined ? null
      : svg("text", { x: x + side - 11, y: y + 19, class: "soft", "text-anchor": "end" },
        format.percent(shares[node]) + (side < 200 ? "" : " waiting")),
    cores(machine, node, { x: x + (small ? 3 : 10), y: y + head + (small ? 3 : 6), size: inner }));
}

/** A link between the edges of two boxes, bent to the right of its direction. */
function link(from, to, { share, perMicrosecond, length, a, b }, side, height) {
  const centre = (place) => [place.x + side / 2, place.y + height / 2];
  const [ax, ay] = centre(from);
  const [bx, by] = centre(to);
  const far = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
  const edge = Math.min(Math.abs(side / 2 / (ux || 1e-9)), Math.abs(height / 2 / (uy || 1e-9))) + 3;
  const off = side < 60 ? 2 : 7;
  const [px, py] = [-uy * off, ux * off];
  const start = [ax + ux * edge + px, ay + uy * edge + py];
  const end = [bx - ux * (edge + 5) + px, by - uy * (edge + 5) + py];
  const straight = far - 2 * edge < 200;
  const bend = straight ? 0 : far * 0.1;
  const middle = [(start[0] + end[0]) / 2 - uy * bend, (start[1] + end[1]) / 2 + ux * bend];
  const words = `node ${a} to node ${b}: ${format.number(perMicrosecond)} lines/µs, ${format.duration(length)} one way`;
  return svg("g", { class: "link", style: heat(share) },
    svg("title", {}, words),
    svg("path", { d: `M${start} Q${middle} ${end}`, "stroke-width": (1.2 + 5 * share).toFixed(1), "marker-end": "url(#tip)", class: share > 0 ? "carries" : "idle" }));
}

function links(results, selection) {
  const measured = results.summary(selection).measured;
  const rows = results.of("links", selection);
  const greatest = Math.max(...rows.map((row) => row.lines), 1);
  return rows.map((row) => ({ a: row.from, b: row.to, length: row.length, lines: row.lines,
    share: row.lines / greatest, perMicrosecond: measured > 0 ? (1000 * row.lines) / measured : 0 }));
}

/** Beyond this a drawing says less than a table of the links. */
const kMostDrawn = 64;

function drawing(machine, carried, width) {
  const { columns, lines, side, gap } = layout(machine.nodes, machine.coresPerNode, width);
  const head = side < 60 ? 0 : 24;
  const height = side + head;
  const left = (width - columns * side - (columns - 1) * gap) / 2;
  const places = Array.from({ length: machine.nodes }, (_, node) => ({
    x: left + (node % columns) * (side + gap), y: 8 + Math.floor(node / columns) * (height + gap), side }));
  const shares = {};
  for (let node = 0; node < machine.nodes; ++node) {
    let [waits, all] = [0, 0];
    for (const [core, busy] of machine.waiting) {
      if (Math.floor(core / machine.coresPerNode) !== node) continue;
      waits += busy.waits;
      all += busy.all;
    }
    if (all > 0) shares[node] = (100 * waits) / all;
  }
  // Links that carry nothing would hide the others where there are many.
  const shown = [...carried].filter((each) => machine.nodes <= 8 || each.share > 0.02).sort((a, b) => a.share - b.share);
  const tall = 16 + lines * height + (lines - 1) * gap;
  return svg("svg", { viewBox: `0 0 ${width} ${tall}`, width, height: tall, role: "img", class: "topology",
    "aria-label": `${machine.title}: ${machine.sockets} sockets, ${machine.nodes} NUMA nodes, ${machine.cores} cores` },
  svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 2, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
    svg("path", { d: "M0,0 L8,4 L0,8 z", class: "tip" }))),
  shown.map((each) => link(places[each.a], places[each.b], each, side, height)),
  places.map((place, node) => box(machine, node, place, shares)),
  machine.nodes === 2 ? labels(shown, places, side, height) : null);
}

/** Between two boxes there is room for words. */
function labels(carried, places, side, height) {
  const upright = places[0].x === places[1].x;
  return carried.map((each) => {
    const there = each.a < each.b ? -1 : 1;
    const x = (places[0].x + places[1].x + side) / 2;
    const y = (places[0].y + places[1].y + height) / 2;
    const text = svg("text", { class: "soft", "text-anchor": upright ? (there < 0 ? "start" : "end") : "middle",
      x: upright ? x - there * 16 : x, y: upright ? y + 4 : y + (there < 0 ? -16 : 26) }, `${format.number(each.perMicrosecond)}/µs`);
    return text;
  });
}

function scale(greatest) {
  return h("div", { class: "scale" },
    h("span", {}, "links: 0"), h("i", { class: "ramp" }), h("span", {}, `${format.number(greatest)} lines/µs`),
    h("span", { class: "apart" }, "cores: 0 %"), h("i", { class: "ramp" }), h("span", {}, "of the time waiting"));
}

function hottest(carried) {
  const rows = [...carried].filter((each) => each.lines > 0).sort((a, b) => b.lines - a.lines).slice(0, 12);
  if (rows.length === 0) return h("p", { class: "quiet" }, "No line went from one NUMA node to another.");
  return h("details", {}, h("summary", {}, "links in numbers"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "links" }, h("table", {},
      h("caption", {}, "The links that carry most, each direction by itself"),
      h("thead", {}, h("tr", {}, ["link", "one way", "lines/µs", "lines"].map((title, i) =>
        h("th", { scope: "col", class: i === 0 ? "text" : "number" }, title)))),
      h("tbody", {}, rows.map((each) => h("tr", {}, h("th", { scope: "row", class: "text" }, `node ${each.a} → node ${each.b}`),
        [format.duration(each.length), format.number(each.perMicrosecond), format.number(each.lines)]
          .map((text) => h("td", { class: "number" }, text))))))));
}

export function topologySection(results, state) {
  if (results.rows("machine").length === 0) return null;
  return {
    id: "machine", title: "The machine",
    lead: "Links are coloured and widened by the lines whose data they carry, cores by the time their threads wait for locks and lines.",
    dynamic: () => {
      const [row] = results.of("machine", state.selection);
      const machine = new Machine(row, results.of("threads", state.selection));
      const carried = links(results, state.selection);
      const greatest = Math.max(0, ...carried.map((each) => each.perMicrosecond));
      const place = h("div", { class: "drawing" });
      let width = 0;
      const watcher = new ResizeObserver(([entry]) => {
        const now = Math.floor(entry.contentRect.width);
        if (now === width || now === 0) return;
        width = now;
        place.replaceChildren(machine.nodes <= kMostDrawn ? drawing(machine, carried, width)
          : h("p", { class: "quiet" }, `${machine.nodes} nodes are too many to draw; the links that carry most are below.`));
      });
      watcher.observe(place);
      place.dispose = () => watcher.disconnect();
      const shape = [`${machine.sockets} socket${machine.sockets > 1 ? "s" : ""}`,
        machine.nodes_per_socket > 1 ? `${machine.nodes} NUMA nodes` : null, `${machine.cores} cores`,
        machine.threads_per_core > 1 ? `${machine.cores * machine.threads_per_core} hardware threads` : null];
      return [h("p", { class: "machine" }, h("b", {}, machine.machine), ` ${machine.title}; ${shape.filter(Boolean).join(", ")}`),
        place, scale(greatest), hottest(carried)];
    },
  };
}
