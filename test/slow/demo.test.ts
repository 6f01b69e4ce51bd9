import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Client } from "../harness/application.ts";

const DEMO = fileURLToPath(new URL("../../demo/main.ts", import.meta.url));
const SHIPSCORE = fileURLToPath(new URL("../../bin/shipscore.js", import.meta.url));
vi.setConfig({ testTimeout: 240_000 });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sc-demo-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const startDemo = (...args: string[]) =>
  execa(process.execPath, ["--import", "tsx", DEMO, ...args], {
    env: { TMPDIR: folder, NO_COLOR: "1" },
    reject: false,
    all: true,
  });

/** Resolves to what the demo has printed once it has printed that. */
function waitFor(demo: ReturnType<typeof startDemo>, sight: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let screen = "";
    demo.all.on("data", (chunk: Buffer) => {
      screen += chunk.toString();
      if (sight.test(screen)) resolve(screen);
    });
  });
}

const leftBehind = async () =>
  (await readdir(folder)).filter((name) => name.startsWith("shipscore"));

test("the demo shows a page that ships, one that does not, and cleans up", async () => {
  const { exitCode, all } = await startDemo();
  expect(exitCode).toBe(0);
  for (const sight of [
    /^\$ shipscore-server token add you@example.com --name demo\npsk_/m,
    /^\$ shipscore check .* --min-score 80$/m,
    /^(?:9[5-9]|100)\/100 .* Ship$/m,
    /^7\d\/100 Ship with warnings$/m,
    /^✗ not met: score 7\d, minimum 80$[\s\S]*\$ echo \$\?\n1\n/m,
    /The host “10\.0\.0\.7” is private[\s\S]*\$ echo \$\?\n40\n/,
    /^\$ shipscore projects\n(?:.*\n)*down .*Old shop.*\ndegraded .*Tea shop/m,
    /^failed +20 +look .* respon…$/m,
    /^ *\d+ min +Old shop .* The certificate/m,
    /^\$ shipscore last-ship 'Tea shop'\n(?:.*\n)*Commit +4f2a9c1$/m,
    /^\$ shipscore-server project badge prj_\w+\n\/badge\/\w+\.svg$/m,
    /^http:\/\/127\.0\.0\.1:\d+\/projects\n\nTo open it, .* npm run demo -- --keep$/m,
  ]) {
    expect(all).toMatch(sight);
  }
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [, screen = ""] = /```console\n([^]*?)```/.exec(readme) ?? [];
  const same = (text: string) =>
    text.replaceAll("\u00a0", " ").replaceAll(/:\d{4,5}\/|[\d.]+ m?s$/gm, "N");
  for (const line of screen.split("\n").filter((one) => one !== "..."))
    expect(same(all)).toContain(same(line));
  expect(await leftBehind()).toEqual([]);
});

test("--keep keeps it running until Ctrl-C, which cleans up", async () => {
  const demo = startDemo("--keep");
  const screen = await waitFor(demo, /^Press Ctrl-C/m);
  const url = /^export SHIPSCORE_URL=(\S+)$/m.exec(screen)?.[1] ?? "";
  const token = /^export SHIPSCORE_TOKEN=(\S+)$/m.exec(screen)?.[1] ?? "";
  const answer = await fetch(`${url}/api/v1/projects`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  const ending = screen.slice(screen.indexOf("The server and the sites"));
  expect(ending.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const page = /Open its page in a browser:\n(\S+)$/m.exec(screen)?.[1] ?? "";
  const site = /^(\S+)  a tea shop/m.exec(screen)?.[1] ?? "";
  const badge = /^(http\S+\/badge\/\S+)$/m.exec(screen)?.[1] ?? "";
  expect((await fetch(page)).status).toBe(200);
  const scan = await fetch(new URL("/scan", page), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: site }),
  });
  expect(scan.status).toBe(202);
  expect(await (await fetch(badge)).text()).toMatch(/Ship Score: \d+, ship/);
  const link = /^(http\S+\/links\/\S+)$/m.exec(screen)?.[1] ?? "";
  const client = new Client(url);
  const signedIn = await client.press(await client.get(link), "Sign in");
  expect((await client.follow(signedIn)).page.text).toContain("Tea shop");
  demo.kill("SIGINT");
  const { exitCode } = await demo;
  expect(exitCode).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(await leftBehind()).toEqual([]);
});

test("--https serves https, with an authority that the commands can trust", async () => {
  const demo = startDemo("--keep", "--https");
  const screen = await waitFor(demo, /^Press Ctrl-C/m);
  const env = Object.fromEntries(
    [...screen.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(env["SHIPSCORE_URL"]).toMatch(/^https:/);
  const checked = await execa(
    process.execPath,
    [SHIPSCORE, "check", `${env["SHIPSCORE_URL"]}/about/checks`],
    {
      env,
      extendEnv: false,
    },
  );
  expect(checked.stdout).toMatch(/^\d+\tship\t/);
  demo.kill("SIGINT");
  await demo;
});

test("Ctrl-C in the middle exits with 130 and cleans up", async () => {
  const demo = startDemo();
  await waitFor(demo, /^acc_/m);
  demo.kill("SIGINT");
  const { exitCode } = await demo;
  expect(exitCode).toBe(130);
  expect(await leftBehind()).toEqual([]);
});
