// Numbers as people read them.

const kPrefixes = [
  [1e12, " T"],
  [1e9, " G"],
  [1e6, " M"],
  [1e3, " k"],
];

/** Three significant digits without an exponent. */
function digits(value) {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.1 || size === 0) return value.toFixed(2);
  return value.toFixed(Math.min(12, 1 - Math.floor(Math.log10(size))));
}

/** 12345678 as "12.3 M". */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  for (const [unit, prefix] of kPrefixes) {
    if (size >= unit * 0.9995) return digits(value / unit) + prefix;
  }
  return Number.isInteger(value) ? String(value) : digits(value);
}

/** Nanoseconds with the unit that suits them. */
export function duration(ns) {
  if (ns === null || ns === undefined) return "–";
  if (ns === 0) return "0";
  if (ns >= 999.5e6) return digits(ns / 1e9) + " s";
  if (ns >= 999.5e3) return digits(ns / 1e6) + " ms";
  if (ns >= 999.5) return digits(ns / 1e3) + " µs";
  return digits(ns) + " ns";
}

export function percent(value) {
  if (value === null || value === undefined) return "–";
  return (value >= 99.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)) + " %";
}

export function ratio(value) {
  return value === null || value === undefined ? "–" : digits(value) + "×";
}

/** A value as the unit of its field says. */
export function value(any, unit) {
  if (any === null || any === undefined || any === "") return "";
  switch (unit) {
    case "ns":
      return duration(any);
    case "%":
      return percent(any);
    case "1/s":
      return number(any) + "/s";
    case "count":
      return any < 1e5 ? String(any) : number(any);
    case "ratio":
      return digits(any);
    default:
      return String(any);
  }
}
