// The report page: drawn, sortable and readable at two widths in two schemes.
// report_test.mjs FOLDER puts its files and a picture of each page there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atEverySize, checkContrast, checkFits, hotline } from "./browser.mjs";

const folder = process.argv[2];
const path = (name) => join(folder, name);

function makePage(name, ...words) {
  hotline(...words, "--json", path(`${name}.json`));
  hotline("report", path(`${name}.json`), "-o", path(`${name}.html`));
  return path(`${name}.html`);
}

/** Every chart has its lines, bars or areas, and each of them lies inside its place. */
async function checkCharts(page, least) {
  const charts = await page.$$eval(".chart", (places) => places.map((place) => ({
    label: place.getAttribute("aria-label"),
    paths: place.querySelectorAll("svg path").length,
    texts: place.querySelectorAll("svg text").length,
    outside: [...place.querySelectorAll("svg text")].filter((text) => {
      const [inner, outer] = [text.getBoundingClientRect(), place.getBoundingClientRect()];
      return inner.left < outer.left - 2 || inner.right > outer.right + 2;
    }).map((text) => text.textContent),
  })));
  assert.ok(charts.length >= least, `${charts.length} charts`);
  for (const { label, paths, texts, outside } of charts) {
    assert.ok(label.length > 10, "a chart says in words what it shows");
    assert.ok(paths > 3 && texts > 3, `${label}: ${paths} paths, ${texts} texts`);
    assert.deepEqual(outside, [], `${label}: texts are cut off`);
  }
}

const column = (page, id, i) => page.$$eval(`#${id} .table tbody tr:not(.detail)`, (rows, at) => rows.map((row) => row.children[at].textContent), i);

/** By a number: greatest first, then least first; by a name: from A on. */
async function checkSorting(page, id, results) {
  const head = (i) => page.locator(`#${id} .table thead th`).nth(i);
  const show = page.locator(`#${id} .more`);
  if (await show.isVisible()) await show.click();
  const before = await column(page, id, 1);
  const most = results.map((row) => row.cpu_share).sort((a, b) => b - a);
  const value = (text) => Number(text.replace(" %", ""));
  await head(1).locator("button").click();
  assert.equal(await head(1).getAttribute("aria-sort"), "descending");
  const down = (await column(page, id, 1)).map(value);
  assert.equal(down.length, before.length);
  down.forEach((shown, i) => assert.ok(Math.abs(shown - most[i]) <= 0.051, `${id}: ${down} against ${most}`));
  await head(1).locator("button").click();
  assert.equal(await head(1).getAttribute("aria-sort"), "ascending");
  assert.deepEqual((await column(page, id, 1)).map(value), [...down].reverse());
  await head(0).locator("button").click();
  const names = await column(page, id, 0);
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
  assert.equal(await head(1).getAttribute("aria-sort"), null);
}

async function checkTopology(page, nodes) {
  assert.equal(await page.locator(".topology .node").count(), nodes);
  assert.ok((await page.locator(".topology .core.busy").count()) > 0);
  const links = await page.$$eval(".topology .link path", (paths) => paths.map((path) => getComputedStyle(path).stroke));
  assert.ok(links.length > 0 && links.every((stroke) => stroke !== "none"));
}

// A comparison: curves, variants to choose from, a machine of two sockets.
const comparison = makePage("comparison", "compare", "tests/browser/two-locks.yaml");
const compared = JSON.parse(readFileSync(path("comparison.json"), "utf8"));
await atEverySize(comparison, async (page, { width, colorScheme }) => {
  await checkFits(page, width);
  await checkCharts(page, 6);
  await checkContrast(page);
  await checkTopology(page, 2);
  const shown = { variant: "mcs", threads: 16 };
  const rows = (table) => compared.tables[table].rows.filter((row) => row.variant === shown.variant && row.threads === shown.threads);
  await checkSorting(page, "locks", rows("locks"));
  await checkSorting(page, "lines", rows("lines"));
  await page.locator("#lines .fold").first().click();
  assert.ok(await page.locator("#lines tr.detail:not([hidden]) dd").first().isVisible());
  await page.screenshot({ path: path(`comparison-${width}-${colorScheme}.png`), fullPage: true });

  // Another variant and another point change everything that depends on them.
  const rate = () => page.locator(".stat dd").first().textContent();
  const before = await rate();
  await page.locator("fieldset label", { hasText: "test_and_set" }).click();
  assert.notEqual(await rate(), before);
  assert.match(await page.locator("#locks caption").first().textContent(), /test_and_set, 16 threads/);
  await page.locator("fieldset label", { hasText: /^2$/ }).click();
  assert.match(await page.locator("#locks caption").first().textContent(), /test_and_set, 2 threads/);
  await checkCharts(page, 6);
  await checkFits(page, width);
  assert.equal(await page.locator("#reproduce pre").first().textContent(), compared.command);
  assert.match(compared.command, /^hotline compare tests\/browser\/two-locks.yaml --variants test_and_set,mcs/);
});

// A sweep over threads and machines: a curve for each variant on each machine, nothing of lines.
hotline("report", "tests/browser/swept.json", "-o", path("sweep.html"));
await atEverySize(path("sweep.html"), async (page, { width, colorScheme }) => {
  await checkFits(page, width);
  await checkCharts(page, 3);
  await checkContrast(page);
  const texts = await page.locator("#scaling svg text").allTextContents();
  for (const curve of ["ticket, generic-2socket", "mcs, xeon8380-2s"]) assert.ok(texts.includes(curve), curve);
  assert.equal(await page.locator("#lines, #machine, #locks").count(), 0);
  await page.screenshot({ path: path(`sweep-${width}-${colorScheme}.png`), fullPage: true });
});

// A single run: no curves, nothing to choose from.
const run = makePage("run", "run", "tests/cli/tiny.yaml");
await atEverySize(run, async (page, { width, colorScheme }) => {
  await checkFits(page, width);
  await checkCharts(page, 3);
  await checkContrast(page);
  assert.equal(await page.locator("#scaling, .selector").count(), 0);
  await page.screenshot({ path: path(`run-${width}-${colorScheme}.png`), fullPage: true });
});
