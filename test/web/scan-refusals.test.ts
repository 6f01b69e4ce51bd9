import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { AppError, describeRefusal } from "../../server/base/errors.ts";
import { completeUrl } from "../../server/base/syntax/url.ts";
import { expectSoundPage } from "../harness/html.ts";
import { exchangeRaw } from "../harness/raw-http.ts";
import { addPerson } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(() =>
  startTestServer({
    env: {
      SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1",
      SHIPSCORE_ALLOW_NETWORKS: "",
      SHIPSCORE_SCAN_NETWORKS: "",
    },
  }),
);
let token: string;

/** Where the API and the scan refuse alike; and one server whose visitors are told apart by X-Forwarded-For. */
beforeAll(async () => {
  token = (await addPerson(server, "alice")).token;
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const post = (body: BodyInit | undefined, headers: Record<string, string> = {}, path = "/scan") =>
  fetch(new URL(path, server.url), {
    method: "POST",
    redirect: "manual",
    headers,
    ...(body !== undefined && { body }),
  });

const postForm = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  post(new URLSearchParams(fields).toString(), { ...FORM, ...headers });

const countScans = async () => (await server.sql`select id from scans`).length;

interface Case {
  id: string;
  input: string;
  resolves_to?: string[];
  verdict: string;
}

/** The cases that need no name server of the test's. */
const REFUSED = (
  JSON.parse(readFileSync(new URL("../cases/ssrf.json", import.meta.url), "utf8")) as Case[]
).filter(({ verdict, resolves_to }) => verdict === "refuse" && !resolves_to?.length);

describe("an address that the API rejects", () => {
  test(`is rejected with the same bytes for programs, and the same words at the field (${REFUSED.length})`, async () => {
    expect(REFUSED.length).toBeGreaterThan(40);
    for (const { input } of REFUSED) {
      const body = JSON.stringify({ url: input });
      const api = await server.request("/api/v1/check", { token, method: "POST", body });
      const program = await post(body, { "content-type": "application/json" });
      const expected = await api.text();
      expect([input, program.status, await program.text()]).toEqual([input, api.status, expected]);
      const code = api.headers.get("x-shipscore-error");
      expect(program.headers.get("x-shipscore-error")).toBe(code);
      if (completeUrl(input) !== input) continue;
      const form = await postForm({ url: input }, { "accept-language": "fr" });
      expect([input, form.status]).toEqual([input, 400]);
      const page = expectSoundPage(await form.text(), "fr");
      expect(page.byId("url")?.["aria-invalid"]).toBe("true");
      const { error } = JSON.parse(expected) as { error: string };
      expect(page.text.replaceAll("\u00a0", " ")).toContain(error);
    }
    expect(await countScans()).toBe(0);
  });

  test.each(["fr", "en"] as const)("keeps the input at the field (%s)", async (language) => {
    const url = `ftp://example.com/?q="><script>alert(1)</script>&${"w".repeat(1900)}`;
    const answer = await postForm({ url }, { "accept-language": language });
    const html = await answer.text();
    const page = expectSoundPage(html, language);
    expect(page.byId("url")).toMatchObject({
      value: url,
      "aria-invalid": "true",
      "aria-describedby": "url-problem url-hint",
    });
    expect(html).not.toContain("<script>alert");
    expect(page.text.replaceAll("\u00a0", " ")).toContain(
      describeRefusal({ code: "not_https", host: null })[language],
    );
  });
});

describe("a body that the API rejects is rejected for programs with the same bytes", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  test.each<[string, BodyInit | undefined, Record<string, string>]>([
    ["no JSON", "{", JSON_TYPE],
    ["nothing", "", JSON_TYPE],
    ["nothing at all", undefined, {}],
    ["a list", "[]", JSON_TYPE],
    ["null", "null", JSON_TYPE],
    ["no url", "{}", JSON_TYPE],
    ["a url that is no text", '{"url":1}', JSON_TYPE],
    ["plain text", "https://example.com/", { "content-type": "text/plain" }],
    ["XML", "<url/>", { "content-type": "application/xml" }],
    ["files", "--x--", { "content-type": "multipart/form-data; boundary=x" }],
    ["over 16 KB", JSON.stringify({ url: "w".repeat(17_000) }), JSON_TYPE],
  ])("%s", async (_, body, headers) => {
    const api = await post(body, { ...headers, authorization: `Bearer ${token}` }, "/api/v1/check");
    const answer = await post(body, headers);
    expect([answer.status, await answer.text()]).toEqual([400, await api.text()]);
    expect(answer.headers.get("x-shipscore-error")).toBe(api.headers.get("x-shipscore-error"));
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

describe("an invalid form gets a page", () => {
  test.each([
    ["without the field", "again=1", "Enter the URL of a page."],
    ["with the field twice", "url=https://a.example/&url=https://b.example/", "Enter the URL"],
    ["with an empty field", "url=", "The URL is not valid."],
    ["over 16 KB", `url=${"w".repeat(17_000)}`, "over 2,048 characters"],
  ])("%s", async (_, body, words) => {
    const answer = await post(body, { ...FORM, "accept-language": "en" });
    expect(answer.status).toBe(400);
    expect(expectSoundPage(await answer.text(), "en").text).toContain(words);
  });

  test("unless JSON is asked for", async () => {
    const answer = await postForm({ url: "http://a.example/" }, { accept: "application/json" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: describeRefusal({ code: "not_https", host: null }).fr,
    });
  });
});

test.each<[string, Record<string, string>]>([
  ["by its Origin", { origin: "https://evil.example" }],
  ["by an Origin that cannot be told", { origin: "null" }],
  ["by its Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }],
])("a request from a page of another site is rejected %s", async (_, headers) => {
  for (const path of ["/scan", `/scan/${"a".repeat(22)}/delete`]) {
    const answer = await post("url=https://a.example/", { ...FORM, ...headers }, path);
    expect([path, answer.status]).toEqual([path, 403]);
    expectSoundPage(await answer.text(), "fr");
  }
  const program = await post('{"url":"https://a.example/"}', {
    ...headers,
    "content-type": "application/json",
  });
  expect(program.status).toBe(403);
  expect(await program.json()).toMatchObject({ error: expect.any(String) });
  expect(await countScans()).toBe(0);
});

/** Has the server refuse to look a URL up, once. */
const refuseNext = (error: AppError) =>
  vi.spyOn(server.deps.probe, "vetScan").mockRejectedValueOnce(error);

describe("beyond a limit", () => {
  const refusal = new AppError("scan_visitor_bound", {
    bound: "hour",
    limit: 10,
    retryAfterSeconds: 1440,
  });
  const url = "https://1.1.1.1/";

  test("people get a page with the time and their input", async () => {
    refuseNext(refusal);
    const answer = await postForm({ url }, { "accept-language": "en" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1440"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = expectSoundPage(await answer.text(), "en");
    expect(page.text).toContain("You have started 10 scans in the last hour");
    expect(page.text).toContain("Try again in 24 minutes.");
    expect(page.byId("url")).toMatchObject({ value: url });
    expect(page.byId("url")).not.toHaveProperty("aria-invalid");
  });

  test("programs get the sentence and the time", async () => {
    refuseNext(refusal);
    const answer = await post(JSON.stringify({ url }), { "content-type": "application/json" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1440"]);
    expect(await answer.json()).toEqual({
      error: expect.stringContaining("Réessayez dans 24 minutes."),
    });
  });
});

describe("a 100 Continue is sent", () => {
  const expecting = (type: string) =>
    exchangeRaw(
      server.url,
      `POST /scan HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
      300,
    );

  test.each(["text/plain", "multipart/form-data; boundary=x", ""])(
    "not for an unreadable body (%j)",
    async (type) => {
      expect(await expecting(type)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test.each(["application/json", "Application/X-WWW-Form-URLencoded; charset=utf-8"])(
    "if the client waits for it (%j)",
    async (type) => {
      expect(await expecting(type)).toMatch(/^HTTP\/1\.1 100 /);
    },
  );
});

describe("the media type of a form", () => {
  test("must match completely", async () => {
    const type = "application/x-www-form-urlencoded-v2";
    const answer = await post("url=https://a.example/", { "content-type": type });
    expect([answer.status, answer.headers.get("x-shipscore-error")]).toEqual([
      400,
      "body_media_type",
    ]);
  });

  test("may be in capitals, and the answer is a page", async () => {
    const type = "APPLICATION/X-WWW-FORM-URLENCODED";
    const answer = await post("url=http://a.example/", { "content-type": type });
    expect(answer.status).toBe(400);
    expectSoundPage(await answer.text(), "fr");
  });

  test("thousands of fields are a form without the field", async () => {
    const names = Array.from({ length: 4000 }, (_, index) => index.toString(36));
    const answer = await post(names.join("&"), FORM);
    expect([answer.status, answer.headers.get("x-shipscore-error")]).toEqual([
      400,
      "body_url_invalid",
    ]);
  });
});

test.each([
  ["busy", "The server is overloaded."],
  ["unavailable", "The scan cannot be recorded at the moment."],
  ["shutting_down", "The server is stopping or restarting."],
] as const)("the input is kept if the server is %s", async (code, words) => {
  const url = "https://1.1.1.1/kept";
  refuseNext(new AppError(code, {}));
  const answer = await postForm({ url }, { "accept-language": "en" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  const page = expectSoundPage(await answer.text(), "en");
  expect(page.text).toContain(words);
  expect(page.byId("url")?.["value"]).toBe(url);
});

test.each([
  ["of an id that none has", "a".repeat(22)],
  ["of a shorter id", "abc"],
  ["of 10,000 characters", "a".repeat(10_000)],
  ["of SQL", encodeURIComponent("' or true --")],
  ["of a broken escape", "%zz"],
])("there is no scan %s", async (_, id) => {
  for (const path of [`/scan/${id}`, `/scan/${id}/events`, `/scan/${id}/delete?key=x`]) {
    const page = await fetch(new URL(path, server.url));
    expect([path, page.status, page.headers.get("x-robots-tag")]).toEqual([path, 404, "noindex"]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expectSoundPage(await page.text(), "fr");
    const headers = { accept: "application/json" };
    const program = await fetch(new URL(path, server.url), { headers });
    expect([path, program.status]).toEqual([path, 404]);
    expect(await program.json()).toEqual({
      error: "Cette analyse n'existe pas ou n'existe plus. Lancez-en une nouvelle.",
    });
  }
  expect((await post(undefined, {}, `/scan/${id}/delete`)).status).toBe(404);
});

test("a server without the public scan has none of its pages", async () => {
  const closed = await startTestServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
  try {
    for (const path of ["/scan", `/scan/${"a".repeat(22)}`]) {
      const answer = await fetch(new URL(path, closed.url));
      expect([path, answer.status]).toEqual([path, 404]);
      expectSoundPage(await answer.text(), "fr");
    }
    const home = await fetch(closed.url, { redirect: "manual" });
    expect([home.status, home.headers.get("location")]).toEqual([303, "/projects"]);
    const started = await fetch(new URL("/scan", closed.url), { method: "POST" });
    expect(started.status).toBe(404);
  } finally {
    await closed.close();
  }
});
