import { afterEach, expect, test } from "vitest";
import { visit } from "../harness/browser.ts";
import { startTestServer } from "../harness/server.ts";
import { getAuthority } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { WORDS } from "./scan-words.ts";
import { NO_FILES, startSlowSite } from "../harness/slow-site.ts";

const words = WORDS.en;
const WAITING = 5;

const site = use(() => startSlowSite(NO_FILES));
const server = use(async () =>
  startTestServer({
    roots: [(await getAuthority()).certificate],
    env: {
      SHIPSCORE_PUBLIC_SCAN: "1",
      SHIPSCORE_SCANS_AT_ONCE: "1",
      SHIPSCORE_TRUSTED_PROXIES: "127.0.0.0/8",
    },
  }),
);
let posts = 0;
afterEach(() => site.release());

async function post(url: string): Promise<URL> {
  const started = await fetch(`${server.url}/scan`, {
    method: "POST",
    body: new URLSearchParams({ url }),
    headers: { "x-forwarded-for": `192.0.2.${++posts}` },
    redirect: "manual",
  });
  return new URL(started.headers.get("location") ?? "", server.url);
}

/** Takes the only place for as long as the site is held, though each visit ends by itself after some seconds. */
async function occupy(): Promise<void> {
  site.hold();
  const first = await post(`${site.url}occupant-${posts}`);
  const headers = { accept: "application/json" };
  await expect
    .poll(async () => (await fetch(first, { headers })).json(), { timeout: 60_000 })
    .toMatchObject({ state: "running" });
  for (let waiting = 0; waiting < WAITING; waiting++) await post(`${site.url}occupant-${posts}`);
}

test("a visitor without script sees the position in the queue, and gets the report", async () => {
  await occupy();
  const page = await visit(server.url, { hasScript: false });
  await page.goto("/");
  await page.getByLabel(words.address).fill(`${site.url}waits`);
  await page.getByLabel(words.address).press("Enter");
  await page.getByText(words.position).waitFor();
  site.release();
  await page.getByLabel(words.link).waitFor();
});
