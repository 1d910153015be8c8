// What a result file holds, whichever command wrote it.

function unique(values) {
  return [...new Set(values)];
}

export class Results {
  constructor(raw) {
    const { tables, inputs, ...facts } = raw;
    this.tables = tables;
    this.inputs = inputs ?? [];
    this.facts = facts;
    const summary = this.rows("summary");
    this.variants = unique(summary.map((row) => row.variant));
    this.points = unique(summary.map((row) => row.threads)).map((threads) => {
      const row = summary.find((each) => each.threads === threads);
      return { threads, label: row.label ?? "", machine: row.machine };
    });
    this.work = summary[0]?.work || "work";
    this.baseline = this.rows("ratios")[0]?.baseline ?? this.variants[0];
  }

  /** The rows of a table; those of a single run get its variant and number of threads. */
  rows(name) {
    const rows = this.tables[name]?.rows ?? [];
    if (rows.length === 0 || "variant" in rows[0]) return rows;
    return rows.map((row) => ({ variant: this.facts.variant, threads: this.facts.threads, ...row }));
  }

  of(name, { variant, threads }) {
    return this.rows(name).filter((row) => row.variant === variant && row.threads === threads);
  }

  field(table, name) {
    return this.tables[table]?.fields.find((field) => field.name === name);
  }

  summary(selection) {
    return this.of("summary", selection)[0];
  }

  /** One variant's rows of a table with one row a point, by number of threads. */
  curve(table, variant) {
    return this.rows(table).filter((row) => row.variant === variant)
      .sort((a, b) => a.threads - b.threads);
  }
}

/** Accounts of time in the order they are stacked, with the name of their colour. */
const kKnown = {
  "useful work": "work",
  work: "work",
  "line stall": "stall",
  "lock wait": "wait",
  spinning: "wait",
  blocked: "blocked",
  scheduling: "scheduling",
  idle: "idle",
  other: "idle",
};

export function accountColour(account) {
  const exact = kKnown[account];
  if (exact) return `account-${exact}`;
  const near = Object.keys(kKnown).find((known) => account.startsWith(known));
  return `account-${near ? kKnown[near] : "idle"}`;
}
