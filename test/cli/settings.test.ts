import { describe, expect, test } from "vitest";
import { readSettings, readTargetHeaders } from "../../cli/client/settings.ts";
import { TOKEN } from "../harness/cli.ts";

const env = { SHIPSCORE_TOKEN: TOKEN };

describe("the server's address", () => {
  test.each([
    ["shipscore.example.com", "--base-url is not a URL"],
    ["", "--base-url is not a URL"],
    ["ftp://shipscore.example.com", "--base-url is neither https nor http"],
    ["https://me:secret@shipscore.example.com", "--base-url contains more than a host and a path"],
    ["https://shipscore.example.com/?a=1", "--base-url contains more than a host and a path"],
    ["http://shipscore.example.com", "--base-url uses plain http to shipscore.example.com"],
    ["http://10.0.0.1", "--base-url uses plain http to 10.0.0.1"],
    ["http://127.0.0.1.example.com", "--base-url uses plain http to 127.0.0.1.example.com"],
    ["http://localhost.example.com", "--base-url uses plain http to localhost.example.com"],
  ])("%j is rejected", (baseUrl, message) => {
    expect(() => readSettings(env, { baseUrl })).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
  });

  test.each([
    [{}, undefined, "http://127.0.0.1:7070/"],
    [{ SHIPSCORE_URL: "" }, undefined, "http://127.0.0.1:7070/"],
    [{ SHIPSCORE_URL: "https://a.example" }, undefined, "https://a.example/"],
    [{ SHIPSCORE_URL: "https://a.example" }, "https://b.example/x", "https://b.example/x/"],
    [{}, "http://localhost:1", "http://localhost:1/"],
    [{}, "http://[::1]:1", "http://[::1]:1/"],
    [{}, "http://127.8.8.8:1", "http://127.8.8.8:1/"],
  ])("%j and flag %j result in a URL", (more, flag, href) => {
    const flags = flag === undefined ? {} : { baseUrl: flag };
    expect(readSettings({ ...env, ...more }, flags).baseUrl.href).toBe(href);
  });
});

describe("the token", () => {
  test.each([
    [undefined, "SHIPSCORE_TOKEN is not set"],
    ["", "SHIPSCORE_TOKEN is empty"],
    ["  ", "whitespace"],
    [`${TOKEN}\n`, "begins or ends with whitespace"],
    [`${TOKEN}\n${TOKEN}`, "several lines"],
    [`Bearer ${TOKEN}`, "begins with Bearer"],
    [`"${TOKEN}"`, "in quotes"],
    ["$SHIPSCORE_TOKEN", "a placeholder"],
    ["***", "a placeholder"],
    ["ghp_0123456789", "does not begin with psk_"],
    [TOKEN.replace("A", "é"), "a character that tokens never contain"],
    [TOKEN.slice(0, -1), "has 43 characters instead of 44: its end may be missing"],
    [`${TOKEN}0`, "has 45 characters instead of 44"],
    [TOKEN.replace("A", "B"), "its checksum is wrong"],
  ])("%j is rejected with its likely cause, and not repeated", (token, cause) => {
    expect(() => readSettings({ SHIPSCORE_TOKEN: token }, {})).toThrow(
      expect.objectContaining({
        exitCode: 41,
        message: expect.toSatisfy(
          (text: string) => text.includes(cause) && !text.includes("0123456789"),
        ),
      }),
    );
  });

  test("of the right form is accepted", () => expect(readSettings(env, {}).token).toBe(TOKEN));
});

test.each([
  [{}, "en"],
  [{ LANG: "C" }, "en"],
  [{ LANG: "POSIX" }, "en"],
  [{ LANG: "de_DE.UTF-8" }, "en"],
  [{ LANG: "fr_FR.UTF-8" }, "fr"],
  [{ LANG: "fr" }, "fr"],
  [{ LANG: "frr_DE" }, "en"],
  [{ LANG: "fr_FR", LC_MESSAGES: "en_GB" }, "en"],
  [{ LANG: "en_US", LC_MESSAGES: "en_GB", LC_ALL: "fr_CA" }, "fr"],
  [{ LANG: "fr_FR", LC_ALL: "" }, "fr"],
])("%j requests findings in %s", (locale, language) => {
  expect(readSettings({ ...env, ...locale }, {}).language).toBe(language);
});

describe("the proxy", () => {
  const HTTPS_PROXY = "http://proxy.example:3128";

  test("is never used to this machine", () => {
    expect(readSettings({ ...env, HTTPS_PROXY }, {}).proxy).toBeNull();
  });

  test("in HTTP_PROXY is ignored", () => {
    const proxied = { ...env, HTTP_PROXY: HTTPS_PROXY, SHIPSCORE_URL: "https://a.example" };
    expect(readSettings(proxied, {}).proxy).toBeNull();
  });

  test("that is not a URL is rejected", () => {
    const proxied = { ...env, HTTPS_PROXY: "proxy:3128", SHIPSCORE_URL: "https://a.example" };
    expect(() => readSettings(proxied, {})).toThrow(
      expect.objectContaining({ exitCode: 2, message: "HTTPS_PROXY is not a URL" }),
    );
  });

  test.each([
    ["*", null],
    ["b.example, shipscore.example", null],
    ["example", null],
    [".example", null],
    ["*.example", null],
    ["SHIPSCORE.example:8443", null],
    ["shipscore.example:443", HTTPS_PROXY],
    ["score.example", HTTPS_PROXY],
    ["b.example,,", HTTPS_PROXY],
    ["", HTTPS_PROXY],
  ])("with NO_PROXY %j is %s", (NO_PROXY, proxy) => {
    const SHIPSCORE_URL = "https://shipscore.example:8443";
    const settings = readSettings({ ...env, HTTPS_PROXY, NO_PROXY, SHIPSCORE_URL }, {});
    expect(settings.proxy?.origin ?? null).toBe(proxy);
  });
});

describe("SHIPSCORE_TARGET_HEADERS", () => {
  const bypass = (value: unknown) => JSON.stringify({ "x-vercel-protection-bypass": value });
  const REFUSED = "contains a header or a value that is not allowed";
  test.each<[text: string, message: string]>([
    ["{", "is not JSON"],
    ["[]", REFUSED],
    ["null", REFUSED],
    ['"a"', REFUSED],
    ['{"x-other": "a"}', REFUSED],
    ['{"cookie":"s3cret"}', REFUSED],
    ['{"cf-access-client-id":"s3cret\\n"}', REFUSED],
    ...["", " a", "a\nb", 1, "a".repeat(1025)].map((value): [string, string] => [
      bypass(value),
      REFUSED,
    ]),
  ])("%s is rejected, and not repeated", (text, message) => {
    expect(() => readTargetHeaders({ SHIPSCORE_TARGET_HEADERS: text }, [], [])).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.toSatisfy((it: string) => it.includes(message) && !it.includes("s3cret")),
      }),
    );
  });

  test.each([
    [undefined, {}],
    ["", {}],
    ...["{}", '{"cf-access-client-id":"a"}', bypass("a".repeat(1024))].map(
      (text): [string, object] => [text, JSON.parse(text) as object],
    ),
    [
      '{"cf-access-client-id": "a b", "cf-access-client-secret": "!"}',
      { "cf-access-client-id": "a b", "cf-access-client-secret": "!" },
    ],
  ])("%j is read", (text, headers) => {
    expect(readTargetHeaders({ SHIPSCORE_TARGET_HEADERS: text }, [], [])).toEqual(headers);
  });
});
