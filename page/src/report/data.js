// What a result file holds, whichever command wrote it.

function unique(values) {
  return [...new Set(values)];
}

/** The accounts of time that a sweep's points have as columns. */
const kSweptAccounts = ["work", "lock_wait", "line_stall", "scheduling", "other"];

/**
 * A sweep's points as a comparison's tables. What was set besides the number of threads becomes a
 * part of the variant's name, if it was set to more than one value.
 */
function sweptTables({ points, ratios, ...rest }, facts) {
  const names = points.fields.map((field) => field.name);
  const axes = names.slice(0, names.indexOf("variant"))
    .filter((name) => name !== "threads" && unique(points.rows.map((row) => row[name])).length > 1);
  const named = (variant, row) => [variant, ...axes.map((axis) => (axis === "machine" ? row[axis] : `${axis} ${row[axis]}`))].join(", ");
  const place = (row) => ({ variant: named(row.variant, row), threads: Number(row.threads) });
  const summary = points.rows.map((row) => ({ ...row, ...place(row), drift: row.drift / 100, label: "", work: facts.work }));
  const accounts = points.rows.flatMap((row) => kSweptAccounts.filter((name) => name in row)
    .map((name) => ({ ...place(row), account: name.replace("_", " "), share: row[name] })));
  const against = (ratios?.rows ?? []).map((row) => ({ ...row, ...place(row), label: "", baseline: named(row.baseline, row) }));
  return { ...rest, summary: { ...points, rows: summary }, accounts: { fields: [], rows: accounts }, ratios: { ...ratios, rows: against } };
}

export class Results {
  constructor(raw) {
    const { tables, inputs, ...facts } = raw;
    this.tables = tables.summary ? byKind(tables) : sweptTables(tables, facts);
    this.inputs = inputs ?? [];
    this.facts = facts;
    this.kind = !tables.summary ? "sweep" : facts.variant ? "run" : "comparison";
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

const kClasses = ["work", "stall", "spinning", "blocked", "scheduling", "idle"];

/** Kinds of time instead of accounts where the file has them: stalls by where the line came from. */
function byKind(tables) {
  const rows = tables.breakdown?.rows ?? [];
  if (rows.length === 0) return tables;
  const all = rows.filter((row) => row.function === "").map((row) => ({ ...row, account: row.kind }))
    .sort((a, b) => kClasses.indexOf(a.class) - kClasses.indexOf(b.class));
  return { ...tables, accounts: { fields: [], rows: all } };
}

/** Accounts of time in the order they are stacked, with the name of their colour. */
const kKnown = {
  "useful work": "work",
  work: "work",
  line: "stall",
  "store buffer": "stall",
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
