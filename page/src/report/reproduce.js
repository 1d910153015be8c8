// All that is needed to get the same bytes again.

import { h } from "../common/dom.js";

function copyButton(text) {
  const button = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "select it and copy";
    }
    setTimeout(() => { button.textContent = "copy"; }, 2000);
  } }, "copy");
  return button;
}

function file({ name, text }) {
  const link = h("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/yaml" })) }, "save");
  return h("details", {}, h("summary", {}, h("code", {}, name), ` ${text.split("\n").length - 1} lines`), h("p", {}, link),
    h("pre", { tabindex: "0" }, text));
}

function fingerprints(results) {
  const rows = results.rows("summary");
  return h("details", {}, h("summary", {}, "fingerprints of the event streams"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "fingerprints" }, h("table", {},
      h("caption", {}, "The same inputs and seed give the same fingerprints on any machine"),
      h("thead", {}, h("tr", {}, ["variant", "threads", "replications", "events", "fingerprint"].map((title) => h("th", { scope: "col", class: "text" }, title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, [row.variant, row.threads, row.replications, row.events, row.fingerprint]
        .map((cell, i) => h(i === 0 ? "th" : "td", { class: "text", scope: i === 0 ? "row" : null }, String(cell)))))))));
}

export function reproduceSection(results) {
  const { facts, inputs } = results;
  const shown = ["workload", "machine", "seed", "version"].filter((name) => facts[name] !== undefined);
  return {
    id: "reproduce", title: "Reproduce it",
    body: [
      facts.command ? h("div", { class: "command" }, h("pre", { tabindex: "0" }, facts.command), copyButton(facts.command)) : null,
      h("dl", { class: "facts" }, shown.map((name) => h("div", {}, h("dt", {}, name), h("dd", {}, String(facts[name]))))),
      fingerprints(results),
      inputs.map(file),
    ],
  };
}
