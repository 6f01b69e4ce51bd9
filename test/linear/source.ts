import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Expression as Node, parseSync, Visitor } from "oxc-parser";

const SERVER = fileURLToPath(new URL("../../server/", import.meta.url));
/** What reads what a site sent, and what judges it. */
const FOLDERS = ["base/syntax", "engine", "mcp"];
const CALLS = ["RegExp", "URL"];

export interface Expression {
  source: string;
  flags: string;
  /** Where it stands, the first time. */
  file: string;
}

interface Findings {
  expressions: Expression[];
  /** What puts expressions together, and what parses addresses: `requests/a.ts: URL`. */
  calls: string[];
}

function listFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(SERVER, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file)),
  );
}

/** The expressions that a file puts together when it is loaded. */
async function buildExpressions(file: string): Promise<Expression[]> {
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
  try {
    // The query loads it anew where another test of this process has loaded it.
    await import(`${join(SERVER, file)}?built`);
  } finally {
    globalThis.RegExp = Native;
  }
  return built;
}

/** Those of all files that do so, each loaded for the first time. */
async function readBuilt({ calls }: Findings): Promise<Expression[]> {
  const files = calls.filter((call) => call.endsWith(": RegExp")).map((call) => call.split(":")[0]);
  const built: Expression[] = [];
  for (const file of files) {
    const expressions = await buildExpressions(file ?? "");
    if (expressions.length === 0) throw new Error(`${file} puts its expressions together later`);
    built.push(...expressions);
  }
  return built;
}

/** Every regular expression of these folders, once, as the parser sees them. */
export function readSource(): Findings {
  const expressions = new Map<string, Expression>();
  const calls = new Set<string>();
  for (const file of listFiles()) {
    const { program } = parseSync(file, readFileSync(join(SERVER, file), "utf8"));
    const noteCall = (callee: Node): void => {
      if (callee.type === "Identifier" && CALLS.includes(callee.name))
        calls.add(`${file}: ${callee.name}`);
    };
    new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const { pattern: source, flags } = node.regex;
        const key = `/${source}/${flags}`;
        if (!expressions.has(key)) expressions.set(key, { source, flags, file });
      },
      NewExpression: ({ callee }) => noteCall(callee),
      CallExpression({ callee }) {
        noteCall(callee.type === "MemberExpression" ? callee.object : callee);
      },
    }).visit(program);
  }
  return { expressions: [...expressions.values()], calls: [...calls].toSorted() };
}

/** Every regular expression, as it is written and as it is put together. */
export async function readExpressions(findings = readSource()): Promise<Expression[]> {
  return [...findings.expressions, ...(await readBuilt(findings))];
}
