// The pages of the lessons: the question, the answer, and the stepper.
// lesson_test.mjs FOLDER puts the pages and a picture of each there.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { atEverySize, checkContrast, checkFits, hotline } from "./browser.mjs";

const folder = join(process.argv[2], "lessons");
mkdirSync(folder, { recursive: true });
const pages = hotline("learn", "--pages", folder).trim().split("\n");
assert.ok(pages.length >= 9, `${pages.length} lessons`);

const clock = (stepper) => stepper.locator(".clock").evaluate((output) => parseFloat(output.textContent));
const states = (stepper) => stepper.locator(".state").allTextContents();

/** Forward to the end and back again: time never runs backwards, and back undoes forward. */
async function checkStepper(stepper) {
  const count = await stepper.locator(".steps li").count();
  assert.ok(count > 3, `${count} steps`);
  assert.ok(await stepper.locator(".back").isDisabled());
  const steps = Math.min(count, 12);
  const seen = [];
  for (let i = 0; i < steps; ++i) {
    seen.push({ at: await clock(stepper), states: await states(stepper), words: await stepper.locator(".words").textContent() });
    if (i + 1 < steps) await stepper.locator(".forward").click();
  }
  for (let i = 1; i < steps; ++i) assert.ok(seen[i].at >= seen[i - 1].at, "time runs forward");
  for (const { states: all } of seen) {
    assert.ok(all.every((state) => /^[MESIO]$/.test(state)), all.join(" "));
  }
  for (let i = steps - 1; i > 0; --i) {
    assert.deepEqual(await states(stepper), seen[i].states);
    await stepper.locator(".back").click();
  }
  assert.equal(await stepper.locator(".words").textContent(), seen[0].words);
  await stepper.locator(".forward").press("ArrowRight");
  assert.equal(await stepper.locator(".words").textContent(), seen[1].words);
}

/** A line has one owner, and then no other copies; the states that are told may never say otherwise. */
async function checkSingleOwner(stepper) {
  const broken = await stepper.evaluate((section) => {
    const slider = section.querySelector("input[type=range]");
    const found = [];
    for (let step = 0; step <= Number(slider.max); ++step) {
      slider.value = String(step);
      slider.dispatchEvent(new Event("input"));
      for (const row of section.querySelectorAll(".states tbody tr")) {
        const states = [...row.querySelectorAll(".state")].map((state) => state.textContent).join("");
        const owners = states.replace(/[^ME]/g, "").length;
        if (owners > 1 || (owners === 1 && states.includes("S"))) found.push(`step ${step}: ${states}`);
      }
    }
    return found;
  });
  assert.deepEqual(broken, []);
}

for (const file of pages) {
  const name = basename(file, ".html");
  await atEverySize(file, async (page, { width, colorScheme }) => {
    await checkFits(page, width);
    assert.ok(!(await page.locator(".solution").isVisible()), "the answer is not shown at once");
    await page.locator("#guess").fill("1000000");
    await page.locator(".quiz button").click();
    assert.match(await page.locator(".verdict").textContent(), /times less/);
    assert.ok((await page.locator(".answers li b").allTextContents()).every((text) => /\d/.test(text)));
    await checkContrast(page);
    const steppers = page.locator(".stepper");
    for (let i = 0; i < (await steppers.count()); ++i) {
      const stepper = steppers.nth(i);
      if (width === 1280 && colorScheme === "light") {
        await checkStepper(stepper);
        await checkSingleOwner(stepper);
      }
      await stepper.locator("input[type=range]").fill("12");
    }
    await checkFits(page, width);
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }, file !== pages[0]);
}
