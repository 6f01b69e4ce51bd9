/* `npm run bench:cli`: how long the command takes, start to exit, beside `node -e 0` and a script that does the least. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { TOKEN } from "../../test/harness/cli.ts";
import { startProcess } from "./process.ts";
import { timeInTurn, type Timed } from "./turns.ts";

const RUNS = 20;
const ROOT = new URL("../../", import.meta.url).pathname;
const URL_CHECKED = "https://example.com/";

const folder = await mkdtemp(join(tmpdir(), "sc-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** In place of the source of the command, what the compiler made of it. */
const compiled: Plugin = {
  name: "compiled",
  setup: (bundling) =>
    bundling.onResolve({ filter: /^\.\.\/cli\/main\.ts$/ }, () => ({
      path: "./cli/main.js",
      external: true,
    })),
};

/** Writes the command as its packages ship it: without a bundle, every module loaded from its own file. */
async function writeUnbundled(): Promise<string> {
  const file = join(ROOT, "dist", "unbundled.mjs");
  process.once("exit", () => rmSync(file, { force: true }));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["bin/entry.js"],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    plugins: [compiled],
  });
  return file;
}

function findTool(name: string): Timed[] {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return [{ name: `${name} --version`, command: [name, "--version"] }];
  } catch {
    return [];
  }
}

const answering = await startProcess(
  ["--import", "tsx", join(ROOT, "tools/bench/answering.ts")],
  {},
  join(folder, "server.log"),
);
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

const bundled = join(ROOT, "dist/shipscore.cjs");
const unbundled = await writeUnbundled();
const { node, version, help, check, projects, bareCheck, bareProjects, naiveVersion, naiveCheck } =
  {
    node: { name: "node -e 0", command: ["node", "-e", "0"] },
    version: { name: "shipscore --version", command: ["node", bundled, "--version"] },
    help: { name: "shipscore --help", command: ["node", bundled, "--help"] },
    check: { name: "shipscore check", command: ["node", bundled, "check", URL_CHECKED] },
    projects: { name: "shipscore projects", command: ["node", bundled, "projects"] },
    bareCheck: {
      name: "bare script, check",
      command: ["node", bare, "POST", "check", JSON.stringify({ url: URL_CHECKED })],
    },
    bareProjects: { name: "bare script, projects", command: ["node", bare, "GET", "projects"] },
    naiveVersion: { name: "unbundled --version", command: ["node", unbundled, "--version"] },
    naiveCheck: { name: "unbundled check", command: ["node", unbundled, "check", URL_CHECKED] },
  };
const own = [
  node,
  version,
  help,
  bareCheck,
  check,
  bareProjects,
  projects,
  naiveVersion,
  naiveCheck,
];
const timed: Timed[] = [...own, ...findTool("gh"), ...findTool("checkly")];

// NODE_EXTRA_CA_CERTS is left out: reading it takes Node longer than the whole command does.
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  SHIPSCORE_URL: answering.url,
  SHIPSCORE_TOKEN: TOKEN,
};
const [load = 0] = loadavg();
console.log(
  `Node ${process.version}, ${RUNS} runs of each in turn; load at the start ${load.toFixed(1)}.`,
);
console.log(["", "median ms", "× node -e 0", "fastest ms"].map(pad).join(""));
const timings = timeInTurn(timed, RUNS, env);
for (const { name } of timed) {
  const { medianMs, fastestMs } = timings(name);
  const ratio = (medianMs / timings(node.name).medianMs).toFixed(2);
  console.log([name, medianMs.toFixed(1), ratio, fastestMs.toFixed(1)].map(pad).join(""));
}

function pad(cell: string, index: number): string {
  return index === 0 ? cell.padEnd(24) : cell.padStart(13);
}

function judge(goal: string, value: number, limit: number, unit: string): void {
  const outcome = value <= limit ? "met" : "not met";
  const shown = value.toFixed(unit === "×" ? 2 : 0);
  console.log(`  ${goal}: ${shown} ${unit} (at most ${limit}): ${outcome}`);
}

for (const clock of ["medianMs", "fastestMs"] as const) {
  const of = ({ name }: Timed) => timings(name)[clock];
  console.log(clock === "medianMs" ? "Goals, by the medians:" : "By the fastest runs:");
  judge("--version to node -e 0", of(version) / of(node), 1.4, "×");
  judge("check over the bare script", of(check) - of(bareCheck), 25, "ms");
  judge("10,000 projects over the bare script", of(projects) - of(bareProjects), 60, "ms");
}
await answering.stop();
