import { describe, expect, it } from "vitest";
import { openSecrets, type Secrets } from "../../../server/engine/probe/privacy/secrets.ts";

const URL_OF_CHECK = new URL(
  "https://www.example.com/a-path-of-its-own?next=quite-long-value-0001&robots=noindex,%20nofollow&back=/blog/my-first-post-2026&to=https://www.example.com/done%3Fticket%3Dticket-0123456789",
);
const HEADERS = { "cf-access-client-secret": "open-sesame" };

function openWith(...cookies: string[]): Secrets {
  const secrets = openSecrets(HEADERS, URL_OF_CHECK);
  secrets.noteCookies(
    URL_OF_CHECK,
    cookies.flatMap((cookie) => ["Set-Cookie", cookie]),
  );
  return secrets;
}

describe("what a check leaves of its evidence", () => {
  it.each([
    ["words of our own", { state: "open-sesame" }],
    ["hosts", { host: "open-sesame", sans: ["dns:open-sesame"] }],
    ["times", { notAfter: "2026-11-21T00:00:00.000Z" }],
    ["the names of headers", { headers: [["open-sesame", "a"]] }],
    ["the host of a URL", { url: "https://open-sesame/" }],
    ["a host and its port", { url: "https://example.com:8443/" }],
    [
      "the host of a text",
      { headers: [["content-security-policy", "img-src https://open-sesame"]] },
    ],
    ["numbers and nothing", { status: 200, body: null, isTrue: true }],
    ["what the URL's path says", { title: "a-path-of-its-own" }],
    ["what a redirect's path says", { title: "the-path-of-a-redirect-1" }],
    ["short values of cookies", { title: "fr-CA-2026" }],
    ["words of cookies", { headers: [["x-robots-tag", "noindex, nofollow"]] }],
    ["words of the query that rules read", { headers: [["x-robots-tag", "noindex, nofollow"]] }],
    ["pairs of cookies", { headers: [["cache-control", "max-age=31536000"]] }],
    ["addresses of the query", { url: "https://www.example.com/blog/my-first-post-2026/" }],
    ["half a secret", { title: "quite-long-value-000" }],
    ["half a secret of a text that was cut", { title: "… quite-long-valu!…" }],
    ["eight characters at such an end", { title: "begins with 01234567…" }],
    ["cookies of others", { title: "of-another-0123456789" }],
    ["what the query of an image says", { title: "of-an-image-0123456789" }],
  ])("%s", (_name, evidence) => {
    const secrets = openWith(
      "a=fr-CA-2026",
      "b=noindex, nofollow",
      "c=max-age=31536000",
      "d=the-path-of-a-redirect-1",
      "e=2026-11-21T00:00:00.000Z",
      "f=0123456789abcdef",
    );
    secrets.noteUrl(new URL("https://example.com/the-path-of-a-redirect-1"));
    secrets.noteCookies(new URL("https://cdn.example/i?a=of-an-image-0123456789"), [
      "set-cookie",
      "a=of-another-0123456789",
    ]);
    expect(secrets.hide(evidence)).toEqual(evidence);
  });
});

describe("what it masks keeps its length and kind:", () => {
  it.each([
    ["a header", "say open-sesame twice: open-sesame", "say xxax-xaxaxa twice: xxax-xaxaxa"],
    ["the query of the URL", "to quite-long-value-0001.", "to xxxxa-xxxx-xaxxa-0000."],
    ["words of the query", "<p>noindex, nofollow", "<p>xxxxaax, xxaxxxxx"],
    ["a query in the query", "ticket-0123456789", "xxaxax-0000000000"],
    ["a cookie", "sid 0123456789abcdef!", "sid 0000000000aaaaaa!"],
    ["one within a word", "sid-0123456789abcdef9", "sid-0000000000aaaaaa9"],
    ["one that its mask would be", "00000000aaaaaaaa", "11111111bbbbbbbb"],
    ["one with a slash", "ab12/cd34+ef56/gh78==", "aa00/aa00+aa00/xx00=="],
    [
      "the query of a redirect",
      "/quite%20another%20value%20here",
      "/xxxxa%00axxxxax%00xaxxa%00xaxa",
    ],
    ["nine characters, cut off", "begins with 012345678…", "begins with 000000000…"],
    ["nine, cut off by a length", `${"-".repeat(1015)}012345678`, `${"-".repeat(1015)}000000000`],
    [
      "one before the end of a host",
      "https://a.b/0123456789abcdef",
      "https://a.b/0000000000aaaaaa",
    ],
  ])("%s", (_name, text, expected) => {
    const secrets = openWith(
      'sid="0123456789abcdef"; Path=/',
      "b=00000000aaaaaaaa",
      "c=ab12/cd34+ef56/gh78==",
    );
    secrets.noteUrl(new URL("https://example.com/?to=quite+another+value+here"));
    expect(secrets.hide({ body: { html: [{ title: text }] } })).toEqual({
      body: { html: [{ title: expected }] },
    });
  });
});

it("a cookie has the same masked name in its header and beside it", () => {
  const named = (name: string) => ({
    headers: [["set-cookie", `${name}=***; Path=/`]],
    drawnCookies: [{ name, isState: false, isRepeated: true }],
  });
  expect(openWith().hide(named("open-sesame"))).toEqual(named("xxax-xaxaxa"));
});
