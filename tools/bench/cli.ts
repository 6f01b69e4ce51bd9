/* `npm run bench:cli` measures how long the command takes from start to exit, compared with `node -e 0` and a minimal script. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { TOKEN } from "../../test/harness/cli.ts";
import { printResult, median, say, startProgram } from "./harness.ts";

interface Timed {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
}

const RUNS = 20;
const ROOT = new URL("../../", import.meta.url).pathname;
const URL_CHECKED = "https://example.com/";

const folder = await mkdtemp(join(tmpdir(), "sc-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

const answering = await startProgram("answering.ts", [], folder);
const bare = join(folder, "bare.cjs");
writeFileSync(
  bare,
  `const { request } = require("node:http");
const [, , method, path, body] = process.argv;
const headers = { authorization: "Bearer " + process.env.SHIPSCORE_TOKEN };
request(process.env.SHIPSCORE_URL + "/api/v1/" + path, { method, headers }, (response) => {
  let text = "";
  response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  response.on("end", () => process.stdout.write(Object.keys(JSON.parse(text)).length + "\\n"));
}).end(body);
`,
);

const configured = join(folder, "shipscore.json");
const until = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
const accept = Array.from({ length: 20 }, (_, index) => ({
  rule: "hdr.csp",
  pages: [`/legacy/${index}/*`],
  reason: "rewritten in March",
  until,
}));
writeFileSync(configured, JSON.stringify({ site: "https://example.com", accept }, undefined, 2));

const bundled = join(ROOT, "dist/shipscore.cjs");
const commands = {
  node: { name: "node -e 0", command: ["node", "-e", "0"] },
  version: { name: "shipscore --version", command: ["node", bundled, "--version"] },
  help: { name: "shipscore --help", command: ["node", bundled, "--help"] },
  bareCheck: {
    name: "bare script, check",
    command: ["node", bare, "POST", "check", JSON.stringify({ url: URL_CHECKED })],
  },
  check: { name: "shipscore check", command: ["node", bundled, "check", URL_CHECKED] },
  accepting: {
    name: "check, 20 accepted",
    command: ["node", bundled, "check", "--config", configured],
  },
  bareProjects: { name: "bare script, projects", command: ["node", bare, "GET", "projects"] },
  projects: { name: "shipscore projects", command: ["node", bundled, "projects"] },
} satisfies Record<string, Timed>;
const { node, version, bareCheck, check, accepting, bareProjects, projects } = commands;
const timed: readonly Timed[] = Object.values(commands);

// Excludes NODE_EXTRA_CA_CERTS, because Node takes longer to read it than the whole command takes.
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  SHIPSCORE_URL: answering.url,
  SHIPSCORE_TOKEN: TOKEN,
};
const [load = 0] = loadavg();
say(`Node ${process.version}, ${RUNS} runs of each in turn; load at the start ${load.toFixed(1)}.`);
say(["", "median ms", "× node -e 0", "fastest ms"].map(pad).join(""));
// The commands take turns, so that other load on the machine affects all of them.
const samples = new Map(timed.map(({ name }) => [name, [] as number[]]));
for (let run = 0; run < RUNS; run++)
  for (const { name, command } of timed) {
    const [file, ...args] = command;
    const start = performance.now();
    spawnSync(file, args, { env, stdio: "ignore" });
    samples.get(name)?.push(performance.now() - start);
  }
const medianOf = ({ name }: Timed) => median(samples.get(name) ?? []);
const fastestOf = ({ name }: Timed) => Math.min(...(samples.get(name) ?? []));
for (const one of timed) {
  const ratio = (medianOf(one) / medianOf(node)).toFixed(2);
  say([one.name, medianOf(one).toFixed(1), ratio, fastestOf(one).toFixed(1)].map(pad).join(""));
}

function pad(cell: string, index: number): string {
  return index === 0 ? cell.padEnd(24) : cell.padStart(13);
}

const printAtMost = (goal: string, value: number, limit: number, unit: string): void =>
  printResult(
    `${goal} at most ${limit} ${unit}`,
    value <= limit,
    value.toFixed(unit === "×" ? 2 : 0),
  );

for (const of of [medianOf, fastestOf]) {
  say(of === medianOf ? "Goals, by the medians:" : "By the fastest runs:");
  printAtMost("--version to node -e 0", of(version) / of(node), 2, "×");
  printAtMost("check over the bare script", of(check) - of(bareCheck), 60, "ms");
  printAtMost("with 20 accepted findings", of(accepting) - of(bareCheck), 60, "ms");
  printAtMost("10,000 projects over the bare script", of(projects) - of(bareProjects), 85, "ms");
}
await answering.stop();
