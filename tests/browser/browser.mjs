// What the tests of pages share: hotline, a browser, and checks that hold for every page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const modules = createRequire(join(process.env.HOTLINE_PAGE_MODULES, "x.js"));
const { chromium } = modules("playwright-core");

export const kWidths = [1280, 400];
export const kSchemes = ["light", "dark"];

/** Runs hotline and returns what it prints. */
export function hotline(...words) {
  return execFileSync(process.env.HOTLINE_BINARY, words, { encoding: "utf8", maxBuffer: 1 << 28 });
}

/**
 * Calls `test(page)` at each width in each scheme, or only at the two extremes; a page may neither
 * complain nor ask a network.
 */
export async function atEverySize(file, test, extremesOnly = false) {
  // Chromium's own sandbox does not work for root in a container; the pages are our own.
  const browser = await chromium.launch({ executablePath: process.env.HOTLINE_CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const width of kWidths) {
      for (const colorScheme of kSchemes) {
        if (extremesOnly && (width === kWidths[0]) !== (colorScheme === kSchemes[0])) continue;
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        const complaints = [];
        page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("request", (request) => {
          if (!/^(file|data|blob):/.test(request.url())) complaints.push(`request of ${request.url()}`);
        });
        await page.goto(pathToFileURL(resolve(file)).href);
        await page.waitForSelector("html[data-ready]");
        await test(page, { width, colorScheme });
        assert.deepEqual(complaints, [], `${file} at ${width} pixels, ${colorScheme}`);
        await page.close();
      }
    }
  } finally {
    await browser.close();
  }
}

/** Nothing is wider than the window. */
export async function checkFits(page, width) {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
}

/** Text stands out from what it stands on as WCAG 2.1 asks for (1.4.3: 4.5 to 1). */
export async function checkContrast(page) {
  const poor = await page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (text) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data;
    };
    const luminance = (data) => {
      const [r, g, b] = [0, 1, 2].map((i) => data[i] / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const data = rgba(getComputedStyle(at).backgroundColor);
        if (data[3] > 200) return luminance(data);
      }
      return 1;
    };
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || element.closest("svg, script, style, noscript") || element.offsetParent === null) continue;
      const [a, b] = [luminance(rgba(getComputedStyle(element).color)), behind(element)];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) found.push(`${element.tagName} "${element.textContent.slice(0, 30)}" ${contrast.toFixed(2)}`);
    }
    return found;
  });
  assert.deepEqual(poor, []);
}
