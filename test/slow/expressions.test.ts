import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";
import { expect, it } from "vitest";

interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["server/engine", "server/hooks", "server/base/syntax", "cli"];
/** These read texts that no stranger writes. */
const BOUNDED: Readonly<Record<string, string>> = {
  "cli/client/settings.ts": "an environment variable",
  "cli/completions/candidates.ts": "the flags of our own commands",
  "cli/program.ts": "a message about the words of the command line",
  "cli/reports/devices.ts": "a path that a pattern has accepted",
};
/** After which a search for an attack ends without one. */
const SEARCH_MS = 10_000;
const TEXT_LENGTH = 50_000;
/** The most processor time for `TEXT_LENGTH`: a linear expression takes a few ms, a quadratic one over 600. */
const MAX_CPU_MS = 200;

function readWritten(file: string): Expression[] {
  const found: Expression[] = [];
  const { program } = parseSync(file, readFileSync(join(ROOT, file), "utf8"));
  new Visitor({
    Literal(node) {
      if ("regex" in node)
        found.push({ source: node.regex.pattern, flags: node.regex.flags, file });
    },
  }).visit(program);
  return found;
}

/** The expressions that a file makes of strings when it is loaded. */
async function readBuilt(file: string): Promise<Expression[]> {
  if (!readFileSync(join(ROOT, file), "utf8").includes("new RegExp(")) return [];
  const built: Expression[] = [];
  const { RegExp: Native } = globalThis;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, [source, flags]: [string, string?]) {
      const made = new target(source, flags);
      const isOfFile = new Error().stack?.split("\n").slice(1, 5).join().includes(file);
      if (isOfFile) built.push({ source: made.source, flags: made.flags, file });
      return made;
    },
  });
  // The query loads it anew where another test of this process has loaded it.
  await import(`${join(ROOT, file)}?built`).finally(() => (globalThis.RegExp = Native));
  return built;
}

async function readExpressions(): Promise<Expression[]> {
  const found = new Map<string, Expression>();
  for (const folder of FOLDERS)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      const file = join(folder, name);
      if (!/\.tsx?$/.test(file)) continue;
      for (const one of [...readWritten(file), ...(await readBuilt(file))])
        found.set(`/${one.source}/${one.flags}`, one);
    }
  return [...found.values()];
}

function makeText({ pumps, suffix }: Attack): string {
  const length = Math.max(1, pumps.map(({ pump }) => pump).join("").length);
  const times = Math.ceil(TEXT_LENGTH / length);
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("") + suffix;
}

function isSlowOn({ source, flags }: Expression, text: string): boolean {
  const context = createContext({ source, flags: `${flags.replace("g", "")}g`, text });
  const before = process.cpuUsage();
  try {
    runInContext("text.replace(new RegExp(source, flags), '')", context, { timeout: 5000 });
  } catch {
    return true;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 > MAX_CPU_MS;
}

/** Whether recheck finds an attack that the engine is slow on; its model knows no optimization of the engine. */
async function isSlow(expression: Expression): Promise<boolean> {
  const { source, flags } = expression;
  const found = await check(source, flags, { timeout: SEARCH_MS, randomSeed: 1 });
  return found.status === "vulnerable" && isSlowOn(expression, makeText(found.attack));
}

it.each([
  ["(?:a+)+$", ""],
  ["x.*y", "g"],
  ["\\s*=\\s*", "g"],
])("finds that /%s/%s is slow", { timeout: 60_000 }, async (source, flags) => {
  expect(await isSlow({ source, flags, file: "" })).toBe(true);
});

it("no expression is slow on a text of unlimited length", { timeout: 3_600_000 }, async () => {
  const expressions = await readExpressions();
  expect(expressions.length).toBeGreaterThan(450);
  const slow: string[] = [];
  for (const expression of expressions)
    if (!Object.hasOwn(BOUNDED, expression.file) && (await isSlow(expression)))
      slow.push(`${expression.file}: /${expression.source}/${expression.flags}`);
  expect(slow).toEqual([]);
});
