import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "../harness/application.ts";
import { addPerson } from "../harness/people.ts";
import { use } from "../harness/use.ts";
import { expectSoundPage, parsePage } from "../harness/html.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";

/** A server on loopback, whose visitors are told apart by X-Forwarded-For, and one behind a proxy that speaks TLS. */
const startScanning = (env: Record<string, string> = {}) =>
  startTestServer({
    roots: [site.authority.certificate],
    env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1", ...env },
  });
const site = use(startSlowSite);
const server = use(() => startScanning());
const PROXIED = { SHIPSCORE_BEHIND_TLS_PROXY: "1", SHIPSCORE_PUBLIC_URL: "https://score.example" };
const proxied = use(() => startScanning(PROXIED));
let visitors = 0;

afterAll(() => site.release());
beforeEach(() => {
  site.release();
  visitors++;
});

interface Sending {
  to?: TestServer;
  headers?: Record<string, string>;
  fields?: Record<string, string>;
}

/** As a browser without script sends a form, in English. */
function send(path: string, { to = server, headers = {}, fields = {} }: Sending = {}) {
  return fetch(new URL(path, to.url), {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "accept-language": "en",
      "x-forwarded-for": `192.0.2.${visitors}`,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
}

const read = (path: string, { to = server, headers = {} }: Sending = {}) =>
  fetch(new URL(path, to.url), { headers: { "accept-language": "en", ...headers } });

const readJson = async (path: string, headers: Record<string, string> = {}) =>
  (await read(path, { headers: { accept: "application/json", ...headers } })).json();

async function waitForEnd(path: string, to = server): Promise<void> {
  await waitUntil("the scan has ended", async () => {
    const answer = await read(path, { to, headers: { accept: "application/json" } });
    const { state } = (await answer.json()) as { state: string };
    return state === "done" || state === "failed";
  });
}

interface Started {
  path: string;
  id: string;
  /** The header with which a browser would send it back. */
  cookie: string;
  setCookie: string;
}

let pages = 0;

/** Starts the scan of a page that nobody has scanned. */
async function start(sending: Sending = {}): Promise<Started> {
  const url = `${site.url}page-${++pages}`;
  const answer = await send("/scan", { ...sending, fields: { url, ...sending.fields } });
  expect(answer.status).toBe(303);
  const path = answer.headers.get("location") ?? "";
  expect(path).toMatch(/^\/scan\/[0-9A-Za-z]{22}$/);
  const setCookie = answer.headers.get("set-cookie") ?? "";
  return { path, id: path.slice(6), setCookie, cookie: setCookie.split(";")[0] ?? "" };
}

describe("the page with the field", () => {
  test.each([
    ["fr", "URL d'une page", "Analyser"],
    ["en", "Page URL", "Scan"],
  ] as const)("has one, and says so (%s)", async (language, label, button) => {
    const answer = await read("/", { headers: { "accept-language": language } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    const html = await answer.text();
    const page = expectSoundPage(html, language);
    expect(page.text).toContain(label);
    expect(html).toContain(`<button type="submit">${button}</button>`);
    expect(page.all("form")).toEqual([
      { id: "scan", method: "post", action: "/scan" },
      { method: "post", action: "/visitor/language" },
    ]);
    expect(page.all("input").map(({ name }) => name)).toEqual(["typed", "url", "next"]);
    expect(html.length).toBeLessThan(50_000);
  });

  test("allows only its script and its form", async () => {
    const policy = (await read("/")).headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+'; connect-src 'self'/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|script-src[^;]*self|\*/);
  });
});

test("the URL of the form redirects to it", async () => {
  const answer = await fetch(new URL("/scan", server.url), { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
});

describe("without script", () => {
  test("a scan is started, awaited, read, found again, and deleted", async () => {
    site.hold();
    const { path, id, cookie, setCookie } = await start();
    expect(setCookie.split("; ").slice(1)).toEqual([
      `Path=${path}`,
      "Max-Age=2592000",
      "HttpOnly",
      "SameSite=Lax",
    ]);

    const running = await read(path);
    expect([running.status, running.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(running.headers.get("x-robots-tag")).toBe("noindex");
    const runningHtml = await running.text();
    const progress = expectSoundPage(runningHtml, "en");
    expect(runningHtml).toContain(
      `<noscript><meta http-equiv="refresh" content="3; url=${path}"/></noscript>`,
    );
    const holder = await read(path, { headers: { cookie } });
    expect(parsePage(await holder.text()).byId("delete-link")).toBeUndefined();
    expect(progress.all("meta")).toContainEqual({ name: "robots", content: "noindex" });
    expect(progress.byId("live")).toMatchObject({
      role: "status",
      "data-events": `${path}/events`,
    });
    await expect
      .poll(() => readJson(path), { timeout: 60_000 })
      .toEqual({ id, url: `${site.url}page-${pages}`, state: "running" });

    site.release();
    await waitForEnd(path);
    const html = await (await read(path)).text();
    const report = expectSoundPage(html, "en");
    expect(html).not.toContain("http-equiv");
    for (const words of [
      "of 100",
      "Ship",
      "Fix first",
      "Content Security Policy (CSP)",
      "Fix",
      "Security headers",
      "First byte",
      "Ruleset 2026.2",
      `shipscore-server exec -- shipscore check ${site.url}page-${pages} --min-score 80`,
    ])
      expect(report.text).toContain(words);
    expect(html.length).toBeLessThan(50_000);
    expect(report.byId("link")).toMatchObject({ value: `${server.url}${path}`, readonly: "" });
    expect(report.byId("badge-markdown")?.["value"]).toContain(`${server.url}${path}/badge.svg)`);
    expect(report.all("img")).toEqual([
      expect.objectContaining({ src: `${path}/badge.svg`, alt: expect.stringMatching(/\d/) }),
    ]);
    expect(html).not.toContain("/delete");

    const french = await read(path, { headers: { "accept-language": "fr" } });
    expect(expectSoundPage(await french.text(), "fr").text).toContain("Bon à livrer");
    expect(french.headers.get("vary")).toContain("Accept-Language");

    const own = expectSoundPage(await (await read(path, { headers: { cookie } })).text(), "en");
    const link = own.byId("delete-link")?.["href"] ?? "";
    expect(link).toMatch(new RegExp(`^${path}/delete\\?key=[0-9A-Za-z]+$`));

    const foundAgain = await send("/scan", { fields: { url: `${site.url}page-${pages}` } });
    expect(foundAgain.headers.get("location")).toBe(path);
    expect(foundAgain.headers.get("set-cookie")).toBeNull();

    const asked = await read(link);
    expect(asked.status).toBe(200);
    const key = parsePage(await asked.text())
      .all("input")
      .find(({ name }) => name === "key")?.["value"];
    expect((await read(path)).status).toBe(200);

    const deleted = await send(`${path}/delete`, { fields: { key: key ?? "" } });
    expect([deleted.status, deleted.headers.get("location")]).toEqual([
      303,
      "/?done=scan-deleted#done",
    ]);
    const home = expectSoundPage(await (await read("/?done=scan-deleted")).text(), "en");
    expect(home.text).toContain("The report has been deleted, with its link and its badge.");
    expect(await (await read("/")).text()).not.toContain("is deleted, with");
    for (const gone of [path, `${path}/events`, `${path}/delete?key=${key}`, `${path}/badge.svg`])
      expect([gone, (await read(gone)).status]).toEqual([gone, 404]);
    expect((await send(`${path}/delete`, { headers: { cookie } })).status).toBe(404);
  });

  test("the browser that started a scan deletes it by its cookie, which is then removed", async () => {
    const { path, cookie } = await start();
    const deleted = await send(`${path}/delete`, { headers: { cookie: `a=b; ${cookie}; c=d` } });
    expect(deleted.status).toBe(303);
    expect(deleted.headers.get("set-cookie")).toContain(`Path=${path}; Max-Age=0`);
    expect((await read(path)).status).toBe(404);
  });

  test("anyone with the link deletes it: opening it changes nothing, posting to it does", async () => {
    const { path, cookie } = await start();
    const link = `${path}/delete?key=${cookie.split("=")[1]}`;
    const seen = await fetch(new URL(link, server.url), { method: "HEAD" });
    expect([seen.status, (await read(link)).status, (await read(path)).status]).toEqual([
      200, 200, 200,
    ]);
    expect([(await send(link)).status, (await read(path)).status]).toEqual([303, 404]);
  });

  test("no one else deletes it", async () => {
    const { path } = await start();
    const other = await start();
    for (const sending of [
      {},
      { fields: { key: "wrong" } },
      { headers: { cookie: other.cookie } },
      { headers: { cookie: "shipscore-scan=" } },
    ]) {
      const answer = await send(`${path}/delete`, sending);
      expect(answer.status).toBe(403);
      expect(expectSoundPage(await answer.text(), "en").text).toContain(
        "Only the person who started the scan",
      );
    }
    const program = await send(`${path}/delete`, { headers: { accept: "application/json" } });
    expect(program.status).toBe(403);
    expect(await program.json()).toEqual({ error: expect.stringContaining("peut supprimer") });
    expect((await read(path)).status).toBe(200);
  });
});

describe("an address as typed", () => {
  test.each(["without a scheme", "of http"])("%s is read as https, with a note", async (as) => {
    const url = `${site.url.slice("https://".length)}page-${++pages}`;
    const answer = await send("/scan", {
      fields: { url: as === "of http" ? `http://${url}` : url },
    });
    const location = answer.headers.get("location") ?? "";
    expect([answer.status, location]).toEqual([303, expect.stringMatching(/^\/scan\/\w{22}\?as=/)]);
    const { text } = expectSoundPage(await (await read(location)).text(), "en");
    expect(text).toContain(`The URL was interpreted as https://${url}`);
  });
});

describe("the report", () => {
  test("says when it can be scanned again, what was received, and how to watch the page", async () => {
    const { path } = await start();
    await waitForEnd(path);
    const page = expectSoundPage(await (await read(path)).text(), "en");
    expect(page.text).toMatch(/You can scan this page again in \d+ seconds?\./);
    expect(page.all("button").filter((button) => "data-wait" in button)).toHaveLength(1);
    for (const seen of ["content-type: text/html", "Issued to", "Passed ("])
      expect(page.text).toContain(seen);
    const watch = page.all("a").find(({ href = "" }) => href.startsWith("/projects/new?url="));
    expect(decodeURIComponent(watch?.["href"] ?? "")).toContain(`${site.url}page-${pages}`);
  });

  test("is rendered once in each language, and disappears with its scan at the next request", async () => {
    const { path, id } = await start();
    await waitForEnd(path);
    await read(path);
    await server.sql`
      update checks set evidence = '\\x00' where id = (select check_id from scans where id = ${id})`;
    expect(await (await read(path)).text()).toContain("content-type: text/html");
    expect((await read(path, { headers: { "accept-language": "fr" } })).status).toBe(500);
    await server.sql`delete from checks where id = (select check_id from scans where id = ${id})`;
    await server.sql`delete from scans where id = ${id}`;
    expect((await read(path)).status).toBe(404);
  });

  test("is in the time zone and under the header of a signed-in user", async () => {
    const alice = await addPerson(server, "alice");
    await server.sql`update accounts set time_zone = 'Asia/Tokyo' where id = ${alice.accountId}`;
    const { path } = await start();
    await waitForEnd(path);
    const { page, html } = await (await signIn(server, alice)).get(path);
    expect(page.text).toMatch(/Checked on \d+ \w+ 20\d\d at \d\d:\d\d GMT\+9/);
    expect(html).toContain('<a class="brand" href="/projects">');
  });
});

describe("scanned again", () => {
  test("too soon, is rejected with the time to wait", async () => {
    const { path } = await start();
    await waitForEnd(path);
    const fields = { url: `${site.url}page-${pages}`, again: "1" };
    const answer = await send("/scan", { fields });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const page = expectSoundPage(await answer.text(), "en");
    expect(page.text).toMatch(/Scan it again in \d+ seconds?\./);
    expect(page.byId("url")?.["value"]).toBe(fields.url);
  });

  test("after a minute, it is a new scan", async () => {
    const { path, id } = await start();
    await waitForEnd(path);
    await server.sql`update scans set started_at = started_at - interval '61 seconds' where id = ${id}`;
    const html = await (await read(path)).text();
    const fields = Object.fromEntries(
      parsePage(html)
        .all("input")
        .filter(({ name }) => name === "url" || name === "again")
        .map(({ name = "", value = "" }) => [name, value])
        .toReversed(),
    );
    expect(fields).toEqual({ url: `${site.url}page-${pages}`, again: "1" });
    const answer = await send("/scan", { fields });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).not.toBe(path);
  });

  test("for a URL with parameters, the page asks for the full URL, and shows none of their values", async () => {
    const url = `${site.url}search?q=hunter2&n=1`;
    const masked = `${site.url}search?q=***&n=***`;
    const { path } = await start({ fields: { url } });
    await waitForEnd(path);
    const html = await (await read(path)).text();
    const page = expectSoundPage(html, "en");
    expect(html).not.toContain("hunter2");
    expect(page.byId("url")).toMatchObject({ name: "url", value: `${site.url}search?q=&n=` });
    expect(page.text).toContain(`shipscore check '${masked}' --min`);
    expect(page.text).toContain("Replace each ***");
  });
});

test("over https the cookie is Secure, and links are those of the public URL", async () => {
  const { path, cookie, setCookie } = await start({ to: proxied });
  expect(setCookie).toMatch(/; Secure$/);
  await waitForEnd(path, proxied);
  const answer = await read(path, { to: proxied, headers: { cookie } });
  expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
  const page = parsePage(await answer.text());
  expect(page.byId("link")?.["value"]).toBe(`https://score.example${path}`);
  expect(page.byId("delete-link")?.["href"]).toContain(`${path}/delete?key=`);
});

describe("a program", () => {
  const post = (body: object) =>
    fetch(new URL("/scan", server.url), {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `192.0.2.${visitors}` },
      body: JSON.stringify(body),
    });

  test("starts a scan, follows it, and reads the check without a quota", async () => {
    const url = `${site.url}page-${++pages}`;
    const answer = await post({ url: `${url}?token=hunter2` });
    expect(answer.status).toBe(202);
    const body = (await answer.json()) as { id: string; statusUrl: string };
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      url: `${url}?token=***`,
      statusUrl: `/scan/${body.id}`,
    });
    expect(answer.headers.get("set-cookie")).toContain(`Path=/scan/${body.id};`);
    await waitForEnd(body.statusUrl);
    const done = (await readJson(body.statusUrl)) as { check: object };
    expect(Object.keys(done)).toEqual(["id", "url", "state", "check"]);
    expect(done.check).toMatchObject({ url: `${url}?token=***`, score: expect.any(Number) });
    expect(done.check).not.toHaveProperty("quota");
    expect(
      (await read(body.statusUrl, { headers: { accept: "text/html,*/*" } })).headers.get(
        "content-type",
      ),
    ).toContain("text/html");
  });
});
