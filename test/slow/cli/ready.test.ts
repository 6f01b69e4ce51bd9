import { expect, test } from "vitest";
import { runCli } from "../../harness/cli.ts";
import { startContractDouble } from "../../harness/contract-double.ts";
import { startSite } from "../../harness/site.ts";
import { use } from "../../harness/use.ts";

const api = use(startContractDouble);
const site = use(() =>
  startSite({
    routes: {
      "/missing": { status: 404, body: "no" },
      "/never": { status: 503, body: "deploying" },
      "/falling": ({ socket }, response) => {
        if (falls++ < 4) response.writeHead(503).end();
        else socket.destroy();
      },
      "/soon": (_request, response) => void response.writeHead(visits++ < 1 ? 502 : 200).end("x"),
    },
  }),
);
let visits = 0;
let falls = 0;

async function check(url: string, seconds: number) {
  const before = api.requests.length;
  const args = ["check", url, "--wait-for-ready", String(seconds)];
  const ran = await runCli(args, api.env);
  return { ...ran, slots: api.requests.length - before };
}

const NO_HTTPS = "http://a.example/?key=*** is not an https URL";
const STOOD_IN = "not ready within 2 s (mostly: 503); it was not checked";
const REFUSED = "not ready within 2 s (mostly: ECONNREFUSED)";

test.each<[why: string, url: () => string, exitCode: number, sentence: string]>([
  ["is no https URL", () => "http://a.example/?key=secret", 2, NO_HTTPS],
  ["is no URL", () => "shop", 2, "'shop' is not a URL"],
  ["a gateway stands in for", () => `${site.url}never`, 3, STOOD_IN],
  ["nothing listens for", () => "https://127.0.0.1:9/", 3, REFUSED],
])("no check is used for a page that %s", async (_, url, exitCode, sentence) => {
  const ran = await check(url(), 2);
  expect([ran.exitCode, ran.slots]).toEqual([exitCode, 0]);
  expect(ran.stderr).toContain(sentence);
});

test("a page is checked once it answers, with any certificate, and gets no secret", async () => {
  const ran = await check(`${site.url}soon`, 30);
  expect([ran.exitCode, ran.slots]).toEqual([0, 1]);
  expect(JSON.stringify(site.requests)).not.toContain("psk_");
  const missing = await check(`${site.url}missing`, 2);
  expect([missing.exitCode, missing.slots]).toEqual([0, 1]);
  expect(missing.stderr).toContain(
    "missing still returns 404 after 2 s and will be checked as is.",
  );
});

test("a long wait reports every 5 s what it found, and ends with the most frequent cause", async () => {
  const url = `${site.url}falling`;
  const { exitCode, stdout, stderr } = await check(url, 7);
  expect([exitCode, stdout]).toEqual([3, ""]);
  const [waiting, end] = stderr.split("\n");
  expect(waiting).toContain(`shipscore: waiting for ${url}: `);
  expect(waiting).toMatch(/: (503|ECONNRESET) \([5-7] of 7 s\)\.$/);
  expect(end).toContain("was not ready within 7 s (mostly: 503); it was not checked.");
});
