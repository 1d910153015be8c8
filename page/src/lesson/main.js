// A lesson: the question, the answer that the runs gave, and a stepper through what happened.

import { h } from "../common/dom.js";
import * as format from "../common/format.js";
import { stepper } from "./stepper.js";

function shown(value, unit) {
  if (unit === "times") return format.ratio(value);
  if (unit === "ns") return format.duration(value);
  if (unit === "%") return format.percent(value);
  return format.number(value) + " " + unit;
}

/** `code` in a text, as workload files write it. */
function prose(text) {
  return text.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}

function answerLine({ name, unit, value, low, high }) {
  return h("li", {}, h("span", {}, name), h("b", {}, value === null ? "no answer" : shown(value, unit)),
    low === null ? null : h("small", {}, `95 %: ${shown(low, unit)} to ${shown(high, unit)}`));
}

/** How far a guess lies from what the runs say. */
function judged(guess, truth) {
  if (!(guess > 0) || !(truth > 0)) return "";
  const factor = guess > truth ? guess / truth : truth / guess;
  if (factor <= 1.15) return "Well predicted.";
  return `You said ${format.number(guess)}: the runs say ${format.number(Number(factor.toPrecision(2)))} times ${guess > truth ? "less" : "more"}.`;
}

function quiz(lesson) {
  const answers = lesson.tables.answers.rows;
  const [first] = answers;
  const verdict = h("p", { class: "verdict" });
  const solution = h("div", { class: "solution", hidden: true }, verdict, h("ul", { class: "answers" }, answers.map(answerLine)),
    h("h2", {}, "Why"), h("p", {}, prose(lesson.why)));
  const guess = h("input", { type: "number", step: "any", min: "0", inputmode: "decimal", id: "guess" });
  const form = h("form", { class: "quiz", onsubmit: (event) => {
    event.preventDefault();
    verdict.textContent = guess.value === "" ? "" : judged(Number(guess.value), first.value);
    solution.hidden = false;
  } }, h("label", { for: "guess" }, "Your prediction"), h("span", { class: "field" }, guess, h("span", {}, first.unit)),
  h("button", { type: "submit" }, "Compare with the run"));
  return [h("section", { class: "ask" }, h("h2", {}, "Predict"), h("p", { class: "question" }, prose(lesson.question)), form), solution];
}

function start() {
  const { lesson, stretches } = JSON.parse(document.getElementById("results").textContent);
  document.title = `${lesson.title} – hotline`;
  document.getElementById("page").append(
    h("header", { class: "top" }, h("p", { class: "brand" }, "hotline", h("span", {}, "lesson")),
      h("h1", {}, lesson.title), h("p", { class: "text" }, prose(lesson.text))),
    h("main", {}, quiz(lesson), stretches.map((stretch) => stepper(stretch))),
    h("footer", {}, `Every number here was computed by a run. In a terminal: hotline learn ${lesson.name}`));
  document.documentElement.dataset.ready = "yes";
}

start();
