// The report page: results in, sections out.

import { h } from "../common/dom.js";
import { breakdownSection } from "./breakdown.js";
import { Results } from "./data.js";
import { fairnessSection } from "./fairness.js";
import { linesSection } from "./lines.js";
import { locksSection } from "./locks.js";
import { reproduceSection } from "./reproduce.js";
import { scalingSection } from "./scaling.js";
import { summaryStrip } from "./summary.js";
import { timelineSection } from "./timeline.js";
import { topologySection } from "./topology.js";

const kSections = [scalingSection, breakdownSection, topologySection, locksSection, timelineSection, linesSection, fairnessSection, reproduceSection];

/** What is selected, and who wants to know when it changes. */
class State {
  constructor(selection) {
    this.selection = selection;
    this.listeners = [];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  select(change) {
    this.selection = { ...this.selection, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** The point to begin with: the last one that is no mere "what if". */
function firstSelection(results) {
  const real = results.points.filter((point) => !point.label);
  const point = (real.length > 0 ? real : results.points).at(-1);
  return { variant: results.variants.at(1) ?? results.variants[0], threads: point.threads };
}

function choices(legendText, names, chosen, select, label) {
  const id = legendText.replaceAll(" ", "-");
  if (names.length > 6) {
    return h("label", { class: "choice" }, h("span", {}, legendText), h("select", { onchange: (event) => select(names[event.target.selectedIndex]) },
      names.map((name) => h("option", { selected: name === chosen }, label(name)))));
  }
  return h("fieldset", { class: "choice" }, h("legend", {}, legendText), names.map((name) => h("label", {},
    h("input", { type: "radio", name: id, checked: name === chosen, onchange: () => select(name) }), h("span", {}, label(name)))));
}

function selector(results, state) {
  const { variants, points } = results;
  if (variants.length < 2 && points.length < 2) return null;
  const noted = (threads) => {
    const { label } = points.find((point) => point.threads === threads);
    return String(threads) + (label ? ` – ${label}` : "");
  };
  return h("form", { class: "selector", "aria-label": "which run the page shows", onsubmit: (event) => event.preventDefault() },
    variants.length > 1 ? choices("variant", variants, state.selection.variant, (variant) => state.select({ variant }), String) : null,
    points.length > 1 ? choices("threads", points.map((point) => point.threads), state.selection.threads, (threads) => state.select({ threads }), noted) : null);
}

/** Charts watch their size; they are told when they go. */
function replace(place, children) {
  for (const old of place.querySelectorAll("[data-drawn], .drawing")) old.dispose?.();
  place.replaceChildren(...[children].flat(Infinity).filter(Boolean));
}

function draw(section, state) {
  const place = h("div", {});
  if (section.dynamic) {
    const again = () => replace(place, section.dynamic());
    again();
    state.listen(again);
  }
  return h("section", { id: section.id, "aria-labelledby": section.id + "-title" },
    h("header", {}, h("h2", { id: section.id + "-title" }, section.title), section.lead ? h("p", { class: "lead" }, section.lead) : null),
    h("div", { class: "body" }, section.body ?? null, place));
}

function start() {
  const page = document.getElementById("page");
  const raw = JSON.parse(document.getElementById("results").textContent);
  if (raw === null) {
    page.append(h("p", { class: "notice" }, "There are no results in this page."));
    return;
  }
  const results = new Results(raw);
  const state = new State(firstSelection(results));
  const sections = kSections.map((make) => make(results, state)).filter(Boolean);
  const machines = [...new Set(results.rows("summary").map((row) => row.machine))].filter(Boolean);
  document.title = `${results.facts.workload} – hotline`;
  const strip = h("div", { class: "strip", "aria-live": "polite" });
  const again = () => replace(strip, summaryStrip(results, state.selection));
  again();
  state.listen(again);
  page.append(
    h("header", { class: "top" },
      h("p", { class: "brand" }, "hotline", h("span", {}, results.kind)),
      h("h1", {}, results.facts.workload),
      results.facts.description ? h("p", { class: "about" }, results.facts.description) : null,
      h("p", { class: "on" }, "simulated on ", machines.map((machine, i) => [i > 0 ? ", " : "", h("code", {}, machine)])),
      h("nav", { "aria-label": "sections" }, sections.map(({ id, title }) => h("a", { href: "#" + id }, title)))),
    h("div", { class: "sticky" }, selector(results, state)),
    h("main", {}, strip, sections.map((section) => draw(section, state))),
    h("footer", {}, `hotline ${results.facts.version ?? ""}: a simulation. Every figure here is computed from the inputs at the end of this page.`));
  document.documentElement.dataset.ready = "yes";
}

start();
