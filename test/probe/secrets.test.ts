import { describe, expect, it } from "vitest";
import { openSecrets } from "../../server/probe/secrets.ts";

const URL_OF_CHECK = new URL(
  "https://www.example.com/a-path-of-its-own?next=quite-long-value-0001",
);

describe("what a check hides of its evidence", () => {
  it.each([
    ["words of our own", { state: "unsupported-coding" }],
    ["hosts", { host: "secret-in-a-header", sans: ["dns:secret-in-a-header"] }],
    ["times", { notAfter: "2026-11-21T00:00:00.000Z" }],
    ["the names of headers", { headers: [["secret-in-a-header", "a"]] }],
    ["the host of a URL", { url: "https://secret-in-a-header/" }],
    ["numbers and nothing", { status: 200, body: null, isTrue: true }],
    ["what the URL's path says", { title: "a-path-of-its-own" }],
    ["short values of cookies", { lang: "fr-CA" }],
  ])("leaves %s", (_name, evidence) => {
    const secrets = openSecrets(
      { "x-vercel-protection-bypass": "secret-in-a-header" },
      URL_OF_CHECK,
    );
    const cookies = [
      "unsupported-coding",
      "2026-11-21T00:00:00.000Z",
      "a-path-of-its-own",
      "fr-CA",
    ];
    secrets.noteCookies(cookies.flatMap((value) => ["Set-Cookie", `a=${value}`]));
    expect(secrets.hide(evidence)).toEqual(evidence);
  });

  it.each([
    ["a header", "say open-sesame twice: open-sesame", "say *** twice: ***"],
    ["the query of the URL", "to quite-long-value-0001.", "to ***."],
    ["a cookie", "sid 0123456789abcdef!", "sid ***!"],
    ["the query of a redirect", "/quite%20another%20value%20here", "/***"],
    ["a part of one, cut off", "begins with 0123456789ab…", "begins with ***…"],
    ["a part of one, cut off by a length", "begins with 0123456789ab", "begins with ***"],
  ])("masks %s", (_name, text, expected) => {
    const secrets = openSecrets({ "cf-access-client-secret": "open-sesame" }, URL_OF_CHECK);
    secrets.noteCookies(["SET-COOKIE", 'sid="0123456789abcdef"; Path=/']);
    secrets.noteUrl(new URL("https://example.com/?to=quite+another+value+here"));
    expect(secrets.hide({ body: { html: [{ title: text }] } })).toEqual({
      body: { html: [{ title: expected }] },
    });
  });
});
