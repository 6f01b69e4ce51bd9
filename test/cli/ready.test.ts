import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli, TOKEN } from "../harness/cli.ts";
import { startContractDouble, type ContractDouble } from "../harness/contract-double.ts";
import { startSite, type Site } from "../harness/site.ts";

let api: ContractDouble;
let site: Site;
let visits = 0;
let falls = 0;

beforeAll(async () => {
  api = await startContractDouble();
  site = await startSite({
    routes: {
      "/missing": { status: 404, body: "no" },
      "/never": { status: 503, body: "deploying" },
      "/falling": ({ socket }, response) => {
        if (falls++ < 4) response.writeHead(503).end();
        else socket.destroy();
      },
      "/soon": (_request, response) => void response.writeHead(visits++ < 1 ? 502 : 200).end("x"),
    },
  });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await site.close();
});

async function check(url: string, seconds: number) {
  const before = api.requests.length;
  const args = ["check", url, "--wait-for-ready", String(seconds)];
  const ran = await runCli(args, { SHIPSCORE_URL: api.url, SHIPSCORE_TOKEN: TOKEN });
  return { ...ran, slots: api.requests.length - before };
}

describe("no slot is spent on a page that", () => {
  test.each<[why: string, url: () => string, exitCode: number, sentence: RegExp]>([
    [
      "is no https URL",
      () => "http://a.example/?key=secret",
      2,
      /http:\/\/a\.example\/\?key=\*\*\* is no https URL to wait for/,
    ],
    ["is no URL", () => "shop", 2, /'shop' is no URL/],
    [
      "a gateway stands in for",
      () => `${site.url}never`,
      3,
      /not ready within 2 s \(seen longest: 503\); it was not checked/,
    ],
    [
      "nothing listens for",
      () => "https://127.0.0.1:9/",
      3,
      /not ready within 2 s \(seen longest: ECONNREFUSED\)/,
    ],
  ])("%s", async (_, url, exitCode, sentence) => {
    const ran = await check(url(), 2);
    expect([ran.exitCode, ran.slots]).toEqual([exitCode, 0]);
    expect(ran.stderr).toMatch(sentence);
  });
});

test("a page is checked once it answers, whatever its certificate, and is sent no secret", async () => {
  const ran = await check(`${site.url}soon`, 30);
  expect([ran.exitCode, ran.slots]).toEqual([0, 1]);
  expect(JSON.stringify(site.requests)).not.toContain("psk_");
  expect((await check(`${site.url}missing`, 30)).slots).toBe(1);
});

test("a long wait tells every 5 s what it sees, and ends with the cause that it saw longest", async () => {
  const url = `${site.url}falling`;
  const { exitCode, stdout, stderr } = await check(url, 7);
  expect([exitCode, stdout]).toEqual([3, ""]);
  const [waiting, end] = stderr.split("\n");
  expect(waiting).toContain(`shipscore: waiting for ${url}: `);
  expect(waiting).toMatch(/: (503|ECONNRESET) \([5-7] of 7 s\)\.$/);
  expect(end).toContain("was not ready within 7 s (seen longest: 503); it was not checked.");
});
