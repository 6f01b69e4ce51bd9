import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import type { Config } from "../../server/config.ts";
import { isForeignOrigin, isOwnHost } from "../../server/http/origin.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { listen } from "../harness/site.ts";

type Own = Pick<Config, "publicUrl" | "tls" | "behindTlsProxy">;

const PLAIN: Own = { publicUrl: undefined, tls: undefined, behindTlsProxy: false };
const TLS: Own = { ...PLAIN, tls: { certFile: "cert.pem", keyFile: "key.pem" } };
const BEHIND_PROXY: Own = { ...PLAIN, behindTlsProxy: true };
const PUBLIC: Own = { ...PLAIN, publicUrl: "https://Score.example.com:443/about" };

/** What Node's own parser makes of the headers decides. */
async function isForeign(headers: readonly string[], config: Own): Promise<boolean> {
  const server = createServer({ requireHostHeader: false }, (request, response) =>
    response.end(JSON.stringify(isForeignOrigin(request, config))),
  );
  const port = await listen(server);
  const lines = ["GET / HTTP/1.1", "Connection: close", ...headers, "", ""];
  const { body } = await sendRaw(`http://127.0.0.1:${port}`, lines.join("\r\n"));
  server.close();
  return JSON.parse(/true|false/.exec(body)?.[0] ?? "null") as boolean;
}

const HOST = "Host: score.example.com:8080";

describe("a foreign Origin", () => {
  test.each<[string, string[], Own]>([
    ["null", [HOST, "Origin: null"], PLAIN],
    ["empty", [HOST, "Origin:"], PLAIN],
    ["another host", [HOST, "Origin: http://evil.example:8080"], PLAIN],
    ["another port", [HOST, "Origin: http://score.example.com"], PLAIN],
    ["another scheme", [HOST, "Origin: https://score.example.com:8080"], PLAIN],
    ["a subdomain", [HOST, "Origin: http://www.score.example.com:8080"], PLAIN],
    ["the own one with a path", [HOST, "Origin: http://score.example.com:8080/"], PLAIN],
    [
      "the own one and another",
      [HOST, "Origin: http://score.example.com:8080", "Origin: null"],
      PLAIN,
    ],
    [
      "the own one twice",
      [HOST, "Origin: http://score.example.com:8080", "Origin: http://score.example.com:8080"],
      PLAIN,
    ],
    ["no Host to compare with", ["Origin: http://score.example.com:8080"], PLAIN],
    ["a Host that is none", ["Host: :::", "Origin: null"], PLAIN],
    ["http on a server with TLS", [HOST, "Origin: http://score.example.com:8080"], TLS],
    ["http behind a proxy with TLS", [HOST, "Origin: http://score.example.com:8080"], BEHIND_PROXY],
    ["that of Host, beside a public URL", [HOST, "Origin: http://score.example.com:8080"], PUBLIC],
    ["http, of a public URL with https", [HOST, "Origin: http://score.example.com"], PUBLIC],
  ])("%s", async (_, headers, config) => {
    expect(await isForeign(headers, config)).toBe(true);
  });
});

describe("not a foreign Origin", () => {
  test.each<[string, string[], Own]>([
    ["none", [HOST], PLAIN],
    ["none, without a Host", [], PUBLIC],
    ["that of Host", [HOST, "Origin: http://score.example.com:8080"], PLAIN],
    ["that of Host on the default port", ["Host: LOCALHOST:80", "Origin: http://localhost"], PLAIN],
    ["that of an address", ["Host: [::1]:8080", "Origin: http://[::1]:8080"], PLAIN],
    ["https on a server with TLS", [HOST, "Origin: https://score.example.com:8080"], TLS],
    ["https behind a proxy", [HOST, "Origin: https://score.example.com:8080"], BEHIND_PROXY],
    ["that of the public URL", [HOST, "Origin: https://score.example.com"], PUBLIC],
  ])("%s", async (_, headers, config) => {
    expect(await isForeign(headers, config)).toBe(false);
  });
});

describe("on loopback, a server", () => {
  const LOCAL = { publicUrl: undefined };

  test.each([
    "rebind.evil.example:7171",
    "evil.example",
    "localhost.evil.example",
    "evillocalhost",
    "127.0.0.1.evil.example",
    "192.0.2.1",
    "[2001:db8::1]:80",
    "0.0.0.0",
    "score.example.com",
    "",
    ":::",
  ])("does not answer to %j", (host) => {
    expect(isOwnHost(host, LOCAL)).toBe(false);
  });

  test.each(["localhost", "LOCALHOST:7070", "a.localhost", "127.0.0.1:7070", "127.8.0.1", "[::1]"])(
    "answers to %j",
    (host) => {
      expect(isOwnHost(host, LOCAL)).toBe(true);
    },
  );

  test.each([
    ["score.example.com", true],
    ["SCORE.example.com:7070", true],
    ["www.score.example.com", false],
    [undefined, true],
  ])("next to a public URL, %j: %s", (host, isOwn) => {
    expect(isOwnHost(host, PUBLIC)).toBe(isOwn);
  });
});
