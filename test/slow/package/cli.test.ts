import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import MANIFEST from "../../../cli/package.json" with { type: "json" };
import { TOKEN } from "../../harness/cli.ts";
import { json, startContractDouble } from "../../harness/contract-double.ts";
import { installPacked, measureBytes, readAbout, ROOT, runNpm } from "../../harness/package.ts";

const FURTHER_NODES = ["22", "24", "26"];

let home: string;

beforeAll(async () => {
  home = await installPacked("shipscore");
}, 120_000);
afterAll(() => rm(dirname(home), { recursive: true }));

const { version } = MANIFEST;

function run(node: string, args: string[], env: Record<string, string> = {}) {
  return execa(node, [join(home, "node_modules/.bin/shipscore"), ...args], {
    env: { SHIPSCORE_TOKEN: TOKEN, ...env },
    extendEnv: false,
    reject: false,
  });
}

async function expectToWork(node: string): Promise<void> {
  expect(await run(node, ["--version"])).toMatchObject({
    exitCode: 0,
    stdout: version,
    stderr: "",
  });
  const help = await run(node, ["--help"]);
  expect([help.exitCode, help.stderr]).toEqual([0, ""]);
  expect(help.stdout).toContain("Start here:");

  await using server = await startContractDouble();
  const args = ["check", "https://example.com/", "--min-score", "80"];
  const check = await run(node, args, { SHIPSCORE_URL: server.url });
  expect([check.exitCode, check.stdout.split("\t")[0]]).toEqual([1, "59"]);
  expect(check.stderr.split("\n").slice(0, 2)).toEqual([
    "shipscore: not met: score 59, minimum 80.",
    "asset.broken caps the score at 59: A script of the page does not load.",
  ]);

  await using assistant = await startContractDouble(json({ jsonrpc: "2.0", id: 1, result: {} }));
  const bridge = run(node, ["mcp"], { SHIPSCORE_URL: assistant.url });
  bridge.stdin.end(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n`);
  expect(await bridge).toMatchObject({
    exitCode: 0,
    stdout: '{"jsonrpc":"2.0","id":1,"result":{}}',
    stderr: "",
  });
}

test("the installed command is at most 600 kB and brings no other package", async () => {
  expect(
    (await readdir(join(home, "node_modules"))).filter((name) => !name.startsWith(".")),
  ).toEqual(["shipscore"]);
  const installed = join(home, "node_modules/shipscore");
  expect(await measureBytes(join(home, "node_modules"))).toBeLessThanOrEqual(600_000);
  expect((await readdir(installed)).toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist",
    "docs",
    "package.json",
  ]);
  expect((await readdir(join(installed, "dist"))).toSorted()).toEqual([
    "shipscore.cjs",
    "shipscore.licenses.txt",
  ]);
});

test("its manifest lists no tools and no packages", async () => {
  expect(await readAbout(home, "shipscore")).toEqual({
    title: "# shipscore",
    manifest: {
      ...MANIFEST,
      private: undefined,
      bin: { shipscore: "dist/shipscore.cjs" },
      man: ["docs/shipscore.1"],
      files: expect.any(Array),
      dependencies: {},
    },
  });
});

test("it works on this Node", () => expectToWork(process.execPath));

test("a stack trace leads to the sources, by a map outside the package", async () => {
  const hook = join(dirname(home), "hook.cjs");
  await writeFile(hook, 'String.prototype.padStart = () => { throw new Error("planted"); };');
  const { exitCode, stderr } = await run(process.execPath, ["help", "exit-codes"], {
    NODE_OPTIONS: `--require=${hook}`,
  });
  expect([exitCode, stderr.split("\n").slice(0, 3)]).toEqual([
    70,
    [
      "shipscore: a bug in this command. Please report these lines.",
      `shipscore ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
      "Error: planted",
    ],
  ]);
  const trace = await execa("npx", ["tsx", "tools/release/trace.ts"], { cwd: ROOT, input: stderr });
  expect(trace.stdout).toMatch(/cli\/commands\/help-topics\.ts:\d+:\d+/);
  expect(trace.stdout).toMatch(/cli\/commands\/help\.ts:\d+:\d+/);
});

test("its name runs it, without node before it", async () => {
  const { stdout } = await execa(join(home, "node_modules/.bin/shipscore"), ["--version"]);
  expect(stdout).toBe(version);
});

describe.each(FURTHER_NODES)("on Node %s", (nodeVersion) => {
  const name = `node-${process.platform}-${process.arch}`;

  test("it works", { timeout: 240_000 }, async (context) => {
    const installed = await runNpm(home, "install", "--no-save", `${name}@${nodeVersion}`).then(
      () => true,
      () => false,
    );
    if (!installed) context.skip(`${name}@${nodeVersion} could not be installed from the registry`);
    await expectToWork(join(home, "node_modules", name, "bin/node"));
  });
});
