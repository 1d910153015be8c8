// Apache ECharts with what the pages use of it, in the page's colours.

import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { colour, h } from "./dom.js";

echarts.use([BarChart, CustomChart, LineChart, ScatterChart, AriaComponent, GridComponent,
  LegendComponent, TooltipComponent, SVGRenderer]);

const kShapes = ["circle", "rect", "triangle", "diamond", "roundRect", "pin"];
const kHues = 8;

/** Colour and shape of the i-th of several series: never the colour alone. */
export const hue = (i) => colour(`series-${i % kHues}`);
export const shape = (i) => kShapes[i % kShapes.length];

export function axis(extra) {
  const line = { lineStyle: { color: colour("rule") } };
  return {
    axisLine: line,
    axisTick: line,
    axisLabel: { color: colour("soft"), fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: colour("faint") } },
    nameTextStyle: { color: colour("soft"), fontSize: 12 },
    ...extra,
  };
}

function frame(options) {
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    ...options,
    tooltip: {
      confine: true,
      backgroundColor: colour("card"),
      borderColor: colour("rule"),
      textStyle: { color: colour("ink"), fontSize: 13 },
      ...options.tooltip,
    },
  };
}

/** The place of the axes, labels included. */
export function grid(sides) {
  return { left: 4, right: 20, top: 8, bottom: 4, outerBoundsMode: "same", outerBoundsContain: "all", ...sides };
}

/** A legend above the chart; it wraps instead of scrolling. */
export function legend(names, extra) {
  return {
    data: names, top: 0, left: 0, type: names.length > 8 ? "scroll" : "plain", icon: undefined,
    itemWidth: 18, itemHeight: 10, itemGap: 14,
    textStyle: { color: colour("ink"), fontSize: 13 },
    pageTextStyle: { color: colour("soft") }, pageIconColor: colour("ink"),
    ...extra,
  };
}

/** How much room a legend above a chart of this width takes. */
export function legendHeight(names, width) {
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const wide = 18 + 5 + 7 * name.length + 14;
    if (used > 0 && used + wide > width) {
      rows += 1;
      used = 0;
    }
    used += wide;
  }
  return names.length > 8 ? 34 : 12 + 22 * rows;
}

/**
 * A chart that is drawn again when its place changes its width or the colours change. `make(width)`
 * gives the options; `label` says in words what is to be seen.
 */
export function chart({ label, height, make }) {
  const place = h("div", { class: "chart", role: "img", "aria-label": label });
  let drawn = null;
  let width = 0;
  const draw = () => {
    const tall = typeof height === "function" ? height(width) : height;
    place.style.height = tall + "px";
    drawn ??= echarts.init(place, null, { renderer: "svg" });
    drawn.resize({ width, height: tall });
    drawn.setOption(frame(make(width)), { notMerge: true });
    place.dataset.drawn = "yes";
  };
  const watcher = new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now === 0 || now === width) return;
    width = now;
    draw();
  });
  watcher.observe(place);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const again = () => {
    if (!place.isConnected) scheme.removeEventListener("change", again);
    else if (width > 0) draw();
  };
  scheme.addEventListener("change", again);
  place.dispose = () => {
    watcher.disconnect();
    scheme.removeEventListener("change", again);
    drawn?.dispose();
  };
  place.redraw = () => width > 0 && draw();
  return place;
}

/** Whether the line through the points' low and high ends is worth a band. */
export function band(name, points, colourOf, scale) {
  const known = points.filter((point) => point.low !== null && point.low !== undefined);
  if (known.length < 2) return null;
  return {
    type: "custom", name, silent: true, clip: true, itemStyle: { color: colourOf }, z: 1, tooltip: { show: false },
    data: [[known[0].x, known[0].low]],
    encode: { x: 0, y: 1 },
    renderItem: (_, api) => {
      const at = (x, y) => api.coord([x, scale === "log" ? Math.max(y, 1e-12) : y]);
      const high = known.map((point) => at(point.x, point.high));
      const low = known.map((point) => at(point.x, point.low)).reverse();
      return { type: "polygon", shape: { points: [...high, ...low] },
        style: { fill: colourOf, opacity: 0.16 } };
    },
  };
}
