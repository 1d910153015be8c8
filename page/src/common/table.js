// Tables that sort by a click on a column's head.

import { h } from "./dom.js";
import * as format from "./format.js";

const kFew = 15;

function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

/**
 * columns: [{key, title, unit, hint, bar}]; a column with `bar` shows its share of a hundred (or of
 * its greatest value) behind the number. `detail(row)` makes what a row unfolds to.
 */
export function sortableTable({ caption, columns, rows, detail, few = kFew }) {
  let sorted = { key: null, down: true };
  let all = rows.length <= few + 3;
  const body = h("tbody");
  const heads = columns.map((column) => {
    const button = h("button", { type: "button", title: column.hint, onclick: () => sortBy(column) },
      column.title, h("span", { class: "arrow", "aria-hidden": "true" }));
    return h("th", { scope: "col", class: column.unit === "text" ? "text" : "number" }, button);
  });
  const more = h("button", { type: "button", class: "more", onclick: () => { all = true; draw(); } });
  const greatest = Object.fromEntries(columns.filter((c) => c.bar).map((column) => [column.key,
    column.unit === "%" ? 100 : Math.max(...rows.map((row) => row[column.key] ?? 0), 1e-9)]));

  function sortBy(column) {
    const down = sorted.key === column.key ? !sorted.down : column.unit !== "text";
    sorted = { key: column.key, down };
    columns.forEach((each, i) => {
      if (each === column) heads[i].setAttribute("aria-sort", down ? "descending" : "ascending");
      else heads[i].removeAttribute("aria-sort");
    });
    draw();
  }

  function cell(row, column, i) {
    const value = row[column.key];
    const text = column.unit === "text" ? String(value ?? "") : format.value(value, column.unit);
    if (i === 0) return h("th", { scope: "row", class: "text", title: text }, h("span", { class: "name" }, text));
    const share = column.bar ? Math.min(100, (100 * (value ?? 0)) / greatest[column.key]) : 0;
    return h("td", {
      class: (column.unit === "text" ? "text" : "number") + (column.bar ? " bar" : ""),
      style: column.bar ? { "--share": share.toFixed(1) + "%" } : null,
    }, text);
  }

  function line(row) {
    const cells = columns.map((column, i) => cell(row, column, i));
    const result = h("tr", {}, cells);
    if (!detail) return [result];
    const unfolded = h("tr", { class: "detail", hidden: true });
    const button = h("button", { type: "button", class: "fold", "aria-expanded": "false",
      "aria-label": "details of " + row[columns[0].key],
      onclick: () => {
        unfolded.hidden = !unfolded.hidden;
        button.setAttribute("aria-expanded", String(!unfolded.hidden));
        if (!unfolded.firstChild) unfolded.append(h("td", { colspan: columns.length }, detail(row)));
      } });
    cells[0].prepend(button);
    return [result, unfolded];
  }

  function draw() {
    const order = [...rows];
    if (sorted.key) {
      order.sort((a, b) => compare(a[sorted.key], b[sorted.key]) * (sorted.down ? -1 : 1));
    }
    const shown = all ? order : order.slice(0, few);
    body.replaceChildren(...shown.flatMap(line));
    more.hidden = all;
    more.textContent = `show all ${rows.length}`;
  }

  draw();
  return h("div", { class: "table" },
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads)), body)),
    more);
}
