import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
const named = use(() =>
  startTestServer({ env: { SHIPSCORE_PUBLIC_URL: "https://score.example.net" } }),
);
const proxied = use(() => startTestServer({ env: { SHIPSCORE_BEHIND_TLS_PROXY: "1" } }));

interface Answer {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** An answer as it is on the wire: not unpacked. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    });
    sent.once("error", reject).end();
  });
}

const PAGES = ["/docs/rules", "/about/checks", "/nothing"];

describe.each(PAGES)("%s", (path) => {
  test("allows in its policy only its style by its hash, and nothing inline", async () => {
    const { headers, body } = await get(server.url + path);
    const policy = String(headers["content-security-policy"]);
    const style = /<style>([^<]*)<\/style>/.exec(body.toString())?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).not.toMatch(/unsafe-|\*|http:/);
    expect(body.toString()).not.toMatch(/ style=|<script|<link rel="stylesheet"/);
  });

  test.each([
    ["identity", undefined, (body: Buffer) => body],
    ["gzip;q=0, br;q=0", undefined, (body: Buffer) => body],
    ["gzip", "gzip", gunzipSync],
    ["gzip, deflate, br", "br", brotliDecompressSync],
  ])("is compressed as Accept-Encoding: %s requests", async (asked, encoding, unpack) => {
    const plain = await get(server.url + path);
    const { headers, body } = await get(server.url + path, { "accept-encoding": asked });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["vary"]).toBe("Accept-Language, Cookie, Accept-Encoding");
    expect(headers["content-length"]).toBe(String(body.length));
    expect(unpack(body).toString()).toBe(plain.body.toString());
  });

  test("sends HSTS only over https", async () => {
    const plain = await get(server.url + path);
    const behind = await get(proxied.url + path);
    expect(plain.headers["strict-transport-security"]).toBeUndefined();
    expect(behind.headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});

test.each([
  ["/sign-in", "http://one.localhost", "https://score.example.net"],
  ["/docs/rules", undefined, "https://score.example.net"],
])(
  "a preview of %s has the image %s, and the public URL if there is one",
  async (path, ...origins) => {
    for (const [index, origin] of origins.entries()) {
      const { body } = await get([server, named][index]?.url + path, { host: "one.localhost" });
      const cards = [...body.toString().matchAll(/content="([^"]*)\/card\.png"/g)];
      expect(cards.map(([, found]) => found)).toEqual(origin === undefined ? [] : [origin]);
    }
    const odd = await get(server.url + path, { host: '"><script>' });
    expect(odd.body.toString()).not.toMatch(/<script|card\.png/);
  },
);

test.each([
  ["/favicon.svg", "image/svg+xml", "<svg"],
  ["/card.png", "image/png", "PNG"],
])("%s may be cached for a day", async (path, type, start) => {
  const { headers, body } = await get(server.url + path);
  expect(headers).toMatchObject({
    "content-type": type,
    "cache-control": "public, max-age=86400",
    "x-content-type-options": "nosniff",
  });
  expect(body.subarray(0, 4).toString("latin1")).toContain(start);
});
