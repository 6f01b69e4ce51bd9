import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deleteScan, watchScan } from "../../server/scan/scans.ts";
import { startScan, type StartedScan } from "../../server/scan/scan-request.ts";
import { startTestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const site = use(startSlowSite);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let started: StartedScan;
let visitors = 0;

afterAll(async () => {
  site.release();
});
beforeEach(async () => {
  site.hold();
  const url = `${site.url}${++visitors}`;
  const asked = { url, again: false };
  started = await startScan(server.deps, asked, `192.0.2.${visitors}`);
});

const ask = (id = started.id, headers: Record<string, string> = {}) =>
  server.request(`/scan/${id}/badge.svg`, { headers });
const readName = async () => /aria-label="([^"]*)"/.exec(await (await ask()).text())?.[1];
const remove = () => deleteScan(server.deps, started.id, started.deleteKey ?? "");

async function finish(): Promise<void> {
  site.release();
  for await (const { state } of watchScan(server.deps, started.id, AbortSignal.timeout(60_000)))
    if (state === "done") return;
  throw new Error("the scan did not end");
}

describe("there is no badge", () => {
  test.each<[what: string, idOf: () => string]>([
    ["of an id that no scan has", () => "a".repeat(22)],
    ["of a shorter id", () => started.id.slice(1)],
    ["of 10,000 characters", () => "a".repeat(10_000)],
    ["of SQL", () => encodeURIComponent("' or true --")],
  ])("%s", async (_what, idOf) => {
    const answer = await ask(idOf());
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
  });

  test("of a deleted scan, even if a cache has a copy", async () => {
    await finish();
    const etag = (await ask()).headers.get("etag") ?? "";
    expect((await ask(started.id, { "if-none-match": etag })).status).toBe(304);
    await remove();
    expect((await ask(started.id, { "if-none-match": etag })).status).toBe(404);
  });

  test("without public scans", async () => {
    const closed = await startTestServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
    expect((await closed.request(`/scan/${started.id}/badge.svg`)).status).toBe(404);
    await closed.close();
  });
});

test("it shows no result while the scan waits or runs, and the result afterwards", async () => {
  await waitUntil("the site is asked", () =>
    site.requests.some(({ url }) => url === `/${visitors}`),
  );
  expect(await readName()).toBe("Ship Score: unknown");
  await finish();
  const [check] = await server.sql<{ score: number; verdict: string }>`
    select score, verdict from checks join scans on checks.id = check_id where scans.id = ${started.id}`;
  const verdict = check?.verdict.replaceAll("_", " ");
  expect(await readName()).toBe(`Ship Score: ${check?.score}, ${verdict}`);
});

test("it shows no result of a failed scan", async () => {
  await finish();
  await server.sql`
    update scans set state = 'failed', failure = '{"fr": "x", "en": "x"}' where id = ${started.id}`;
  expect(await readName()).toBe("Ship Score: unknown");
});

test("it is the same in every language, may be shown anywhere, and must be revalidated on each use", async () => {
  await finish();
  const answer = await ask(started.id, { "accept-language": "fr" });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  });
  expect(await answer.text()).toBe(await (await ask()).text());
});
