// Forward and back through a stretch of a run: who holds which line, and what is under way.

import { h } from "../common/dom.js";
import * as format from "../common/format.js";

const kStates = {
  M: "modified: may write, nobody else has it",
  E: "exclusive: may write, nobody else has it",
  O: "owned: has the newest data, others have copies",
  S: "shared: may only read",
  I: "invalid: has no copy",
};

/** All that is known after each step: states, requests under way, who waits for which lock. */
function snapshots(steps, cores, lines) {
  const key = (line, core) => `${line}.${core}`;
  const states = {};
  for (const step of steps) {
    if (step.after && !(key(step.line, step.core) in states)) states[key(step.line, step.core)] = step.before;
  }
  for (const { line } of lines) for (const { core } of cores) states[key(line, core)] ??= "I";
  let now = { states, asks: {}, locks: {} };
  return steps.map((step) => {
    now = { states: { ...now.states }, asks: { ...now.asks }, locks: { ...now.locks } };
    const place = key(step.line, step.core);
    if (step.after) now.states[place] = step.after;
    if (step.kind === "asks" || step.kind === "taken up") now.asks[place] = step.kind === "asks" ? "asks" : "served";
    if (step.kind === "has it") delete now.asks[place];
    if (step.kind === "wants" || step.kind === "holds") now.locks[step.core] = step.kind;
    if (step.kind === "releases") delete now.locks[step.core];
    return now;
  });
}

function grid(stretch) {
  const { cores, lines } = stretch;
  const cells = {};
  const heads = {};
  const table = h("table", { class: "states" }, h("caption", {}, "State of each core's copy of each line"),
    h("thead", {}, h("tr", {}, h("td", {}), cores.map(({ core, threads }) => {
      heads[core] = h("th", { scope: "col" }, h("b", {}, `core ${core}`), h("small", {}, threads), h("em", {}));
      return heads[core];
    }))),
    h("tbody", {}, lines.map(({ line, name }) => h("tr", {}, h("th", { scope: "row", title: name }, h("b", {}, line), h("small", {}, name)),
      cores.map(({ core }) => {
        const cell = h("td", {}, h("span", { class: "state" }), h("span", { class: "ask" }));
        cells[`${line}.${core}`] = cell;
        return cell;
      })))));
  const show = (step, now) => {
    for (const [place, cell] of Object.entries(cells)) {
      const state = now.states[place];
      const [badge, ask] = cell.children;
      badge.textContent = state;
      badge.dataset.state = state;
      badge.title = kStates[state];
      ask.textContent = { asks: "asks", served: "being served" }[now.asks[place]] ?? "";
      cell.classList.toggle("now", place === `${step.line}.${step.core}`);
    }
    for (const [core, head] of Object.entries(heads)) {
      head.classList.toggle("now", Number(core) === step.core);
      head.lastChild.textContent = { wants: "wants the lock", holds: "holds the lock" }[now.locks[core]] ?? "";
    }
  };
  return { table, show };
}

/** The way of a request as a bar; what is hatched is waiting for others. */
function legsBar(legs) {
  const all = legs.reduce((sum, leg) => sum + leg.length, 0);
  return h("div", { class: "legs" },
    h("div", { class: "bar", "aria-hidden": "true" }, legs.map((leg, i) => h("i", {
      class: leg.waits === "yes" ? "waits" : `part-${i % 4}`, style: { "flex-grow": String(leg.length / all) }, title: leg.leg }))),
    h("ol", {}, legs.map((leg) => h("li", { class: leg.waits === "yes" ? "waits" : null }, h("b", {}, format.duration(leg.length)), " " + leg.leg))));
}

/** Brings the column of the core that acts into view. */
function reveal(place) {
  const column = place.querySelector("thead .now").getBoundingClientRect();
  const frame = place.getBoundingClientRect();
  const hidden = column.right > frame.right || column.left < frame.left;
  if (hidden) place.scrollLeft += column.left - frame.left - frame.width / 2;
}

export function stepper(stretch) {
  const rows = (name) => stretch.tables[name].rows;
  const steps = rows("steps");
  if (steps.length === 0) return h("section", { class: "stepper" }, h("p", {}, "Nothing happens in this time."));
  const parts = { cores: rows("cores"), lines: rows("lines") };
  const known = snapshots(steps, parts.cores, parts.lines);
  const { table, show } = grid(parts);
  const states = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "states" }, table);
  let at = 0;

  const clock = h("output", { class: "clock" });
  const words = h("p", { class: "words", "aria-live": "polite" });
  const way = h("div", { class: "way" });
  const slider = h("input", { type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": "step", oninput: () => go(Number(slider.value)) });
  const back = h("button", { type: "button", class: "back", onclick: () => go(at - 1) }, "◀ back");
  const forward = h("button", { type: "button", class: "forward", onclick: () => go(at + 1) }, "forward ▶");
  const list = h("ol", { class: "steps" }, steps.map((step, i) => h("li", {}, h("button", { type: "button", onclick: () => go(i) },
    h("b", {}, step.at.toFixed(1)), h("span", {}, `core ${step.core}`), step.text))));

  function go(to) {
    at = Math.max(0, Math.min(steps.length - 1, to));
    const step = steps[at];
    const since = at > 0 ? ` (+${(step.at - steps[at - 1].at).toFixed(1)})` : "";
    clock.textContent = `${step.at.toFixed(1)} ns`;
    clock.append(h("small", {}, since, ` step ${at + 1} of ${steps.length}`));
    words.replaceChildren(h("b", {}, `core ${step.core}`), " " + step.text);
    const legs = rows("legs").filter((leg) => leg.step === step.step);
    way.replaceChildren(...(legs.length > 0 ? [legsBar(legs)] : []));
    slider.value = String(at);
    back.disabled = at === 0;
    forward.disabled = at === steps.length - 1;
    for (const [i, item] of [...list.children].entries()) item.toggleAttribute("aria-current", i === at);
    const item = list.children[at];
    list.scrollTop += item.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 3;
    show(step, known[at]);
    reveal(states);
  }

  const place = h("section", { class: "stepper", onkeydown: (event) => {
    if (event.target === slider || event.target === states) return;
    if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "ArrowLeft") go(at - 1);
    else return;
    event.preventDefault();
  } },
  h("h2", {}, "Step by step"),
  h("p", { class: "lead" }, stretch.what ? stretch.what + " " : "", h("span", {}, `Variant ${stretch.variant} on ${stretch.machine}.`)),
  h("div", { class: "controls" }, back, forward, slider, clock),
  h("div", { class: "now-here" }, words, way),
  states,
  h("details", {}, h("summary", {}, "all steps"), list));
  go(0);
  return place;
}
