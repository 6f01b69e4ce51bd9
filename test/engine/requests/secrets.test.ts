import { describe, expect, it } from "vitest";
import { openSecrets, type Secrets } from "../../../server/engine/requests/privacy/secrets.ts";

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

describe("not masked in the evidence:", () => {
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
  ])("%s", async (_name, evidence) => {
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
    expect(await secrets.hide(evidence)).toEqual(evidence);
  });
});

describe("masked with the same length and punctuation:", () => {
  it.each([
    ["a header", "say open-sesame twice: open-sesame", "say xxxx-xxxxxx twice: xxxx-xxxxxx"],
    ["the query of the URL", "to quite-long-value-0001.", "to xxxxx-xxxx-xxxxx-0000."],
    ["a query in the query", "ticket-0123456789", "xxxxxx-0000000000"],
    ["a cookie", "sid 0123456789abcdef!", "sid 0000000000aaaaaa!"],
    ["one within a word", "sid-0123456789abcdef9", "sid-0000000000aaaaaa9"],
    ["one with capitals", "Tr0ub4dor-Bypass", "Xx0xx0xxx-Xxxxxx"],
    ["one with a slash", "ab12/cd34+ef56/gh78==", "xx00/xx00+xx00/xx00=="],
    [
      "the query of a redirect",
      "/quite%20another%20value%20here",
      "/xxxxx%00xxxxxxx%00xxxxx%00xxxx",
    ],
    ["nine characters, cut off", "begins with 012345678…", "begins with 000000000…"],
    ["nine, cut off within an escape", "begins with 012345678%3…", "begins with 000000000%0…"],
    [
      "the path of a cookie, cut off",
      "a=***; Path=/0123456789abc…; Secure",
      "a=***; Path=/0000000000aaa…; Secure",
    ],
    [
      "each of two addresses, cut off",
      '<img src="/012345678…"> <img src="/012345678…">',
      '<img src="/000000000…"> <img src="/000000000…">',
    ],
    [
      "the beginning of a value that holds another",
      "say sid 0123456789abcdef-and-more-of-…",
      "say xxx 0000000000xxxxxx-xxx-xxxx-xx-…",
    ],
    ["nine, cut off by a length", `${"-".repeat(1015)}012345678`, `${"-".repeat(1015)}000000000`],
    [
      "one before the end of a host",
      "https://a.b/0123456789abcdef",
      "https://a.b/0000000000aaaaaa",
    ],
  ])("%s", async (_name, text, expected) => {
    const secrets = openWith(
      'sid="0123456789abcdef"; Path=/',
      "b=Tr0ub4dor-Bypass",
      "c=ab12/cd34+ef56/gh78==",
      "d=sid 0123456789abcdef-and-more-of-it",
    );
    secrets.noteUrl(new URL("https://example.com/?to=quite+another+value+here"));
    expect(await secrets.hide({ body: { html: [{ title: text }] } })).toEqual({
      body: { html: [{ title: expected }] },
    });
  });
});

it("a header's value that is also in a redirect's path is masked there too", async () => {
  const secrets = openWith();
  secrets.noteUrl(new URL("https://www.example.com/open-sesame"));
  expect(await secrets.hide({ url: "/open-sesame" })).toEqual({ url: "/xxxx-xxxxxx" });
});

it("a cookie has the same masked name in its header and next to it", async () => {
  const named = (name: string) => ({
    headers: [["set-cookie", `${name}=***; Path=/`]],
    drawnCookies: [{ name, isState: false, isRepeated: true }],
  });
  expect(await openWith().hide(named("open-sesame"))).toEqual(named("xxxx-xxxxxx"));
});

/** What is left of a text when the site repeats there what a URL says. */
async function hideText(url: string, text: string): Promise<string> {
  const secrets = openSecrets({}, new URL(url, "https://www.example.com"));
  const hidden = await secrets.hide({ text });
  return hidden.text;
}

describe("length and kind decide what is masked:", () => {
  it.each([
    ["an e-mail address, however short", "a@b.fr"],
    ["a number of nine digits", "493821057"],
    ["letters with digits, of eight", "dqw4w9xy"],
    ["words", "ann de la tour"],
    ["letters alone", "correcthorsestaple"],
    ["pairs", "id=7;plan=pro,team"],
    ["a date with its time", "2026-11-21t10:00"],
  ])("%s", async (_name, value) => {
    const shown = await hideText(`/?q=${encodeURIComponent(value)}`, `say ${value}!`);
    expect(shown).toHaveLength(`say ${value}!`.length);
    expect(shown).toMatch(/^say .+!$/);
    expect(shown).not.toContain(value);
  });

  it.each(
    "en 1 true home script default-src self text/html 2026-11-21 price-desc 12345678 abc-def.gh x@y".split(
      " ",
    ),
  )("not %s", async (value) => {
    expect(await hideText(`/?q=${encodeURIComponent(value)}`, `say ${value}!`)).toBe(
      `say ${value}!`,
    );
  });
});

describe("a value is masked in each notation:", () => {
  const VALUE = "Zoé & <ann@example.org>";
  const hex = (text: string) =>
    Array.from(Buffer.from(text), (octet) => `%${octet.toString(16).padStart(2, "0")}`).join("");
  it.each([
    ["in other letters", VALUE.toUpperCase()],
    ["percent-encoded", encodeURIComponent(VALUE)],
    ["in lower case", encodeURIComponent(VALUE).toLowerCase()],
    ["each octet of it", hex(VALUE)],
    ["as a form's", new URLSearchParams([["", VALUE]]).toString().slice(1)],
    ["encoded twice", encodeURIComponent(encodeURIComponent(VALUE))],
    ["in Latin-1", "Zo%E9+%26+%3Cann%40example.org%3E"],
    ["in HTML", "Zo&#233; &amp; &lt;ann&#x40;example.org&gt;"],
    ["in HTML in a URL", encodeURIComponent("Zoé &amp; &lt;ann@example.org&gt;")],
    ["in JSON", String.raw`Zo\u00e9 \u0026 \u003cann@example.org>`],
    ["over lines", "Zoé &\n\t<ann@example.org>"],
    ["with what is not shown", "Zoé & <ann\u200e@\0example.org>"],
  ])("%s", async (_name, written) => {
    const shown = await hideText(`/?to=${encodeURIComponent(VALUE)}`, `(${written})`);
    expect(shown).toHaveLength(written.length + 2);
    expect(shown).toMatch(/^\([^]+\)$/);
    expect(shown).not.toMatch(/zo|ann|example/i);
  });

  it("but not in an encoding such as base64", async () => {
    const text = Buffer.from(VALUE).toString("base64");
    expect(await hideText(`/?to=${encodeURIComponent(VALUE)}`, text)).toBe(text);
  });
});

describe("a value is found anywhere in a URL:", () => {
  const inner = "https://shop.example/done?mail=ann@example.org&a=1#t";
  it.each([
    ["bare", "/?ann@example.org"],
    ["in Latin-1", "/?q=ann%40example.org%E9&b=ann@example.org"],
    ["in the fragment", "/#ann@example.org"],
    ["in a route of the fragment", "/#/reset?mail=ann@example.org"],
    ["as a parameter of the path", "/a;mail=ann@example.org/b"],
    ["in an address", `/?next=${encodeURIComponent(inner)}`],
    ["in one encoded twice", `/?next=${encodeURIComponent(encodeURIComponent(inner))}`],
    [
      "in an address of an address",
      `/?to=${encodeURIComponent(`/go?next=${encodeURIComponent(inner)}`)}`,
    ],
  ])("%s", async (_name, url) => {
    expect(await hideText(url, "Hello ann@example.org!")).toBe("Hello xxx@xxxxxxx.xxx!");
  });

  it("but a token with base64 characters is not read as a path", async () => {
    expect(await hideText("/?t=/9j/4AAQSkZJRg==", "t=/9j/4AAQSkZJRg==")).toBe("t=/0x/0XXXXxXXXx==");
  });

  it.each([
    ["no sign of base64 at all", "/9j4AAQSkZJRgABAQ", "/0x0XXXXxXXXxXXXX"],
    ["two slashes", "//9j4AAQSkZJRgABA", "//0x0XXXXxXXXxXXX"],
    ["a sign that is escaped twice", "/9j%252B4AAQSkZJRg", "/0x%000X0XXXXxXXXx"],
  ])("nor is one with %s", async (_name, written, expected) => {
    expect(await hideText(`/?t=${written}`, `t=${written}`)).toBe(`t=${expected}`);
  });

  it.each(["/Account/Login", "/blog/my-first-post-2026", "//Cdn1.example.com/A1"])(
    "but %s is a path, and stays",
    async (address) => {
      expect(await hideText(`/?next=${address}`, `to ${address}`)).toBe(`to ${address}`);
    },
  );
});

describe("there is room for the values of a redirect after", () => {
  const TOKEN = "voucher-9876543210";
  it.each([
    ["cookies that do not all fit", Array.from({ length: 9 }, () => 1000)],
    ["cookies that fill theirs", Array.from({ length: 8 }, () => 1024)],
  ])("%s", async (_name, lengths) => {
    const secrets = openWith(
      ...lengths.map((length, index) => `c=${String(index).padEnd(length, "z")}`),
    );
    secrets.noteUrl(new URL(`https://www.example.com/done?t=${TOKEN}`));
    expect(await secrets.hide({ title: TOKEN })).toEqual({
      title: "xxxxxxx-0000000000",
    });
  });

  it("a value of the URL that does not fit", async () => {
    const secrets = openSecrets({}, URL_OF_CHECK);
    for (let index = 0; index < 9; index++)
      secrets.noteUrl(new URL(`?a=${String(index).padEnd(1000, "z")}`, URL_OF_CHECK));
    secrets.noteUrl(new URL(`?t=${TOKEN}`, URL_OF_CHECK));
    expect(await secrets.hide({ title: TOKEN })).toEqual({
      title: "xxxxxxx-0000000000",
    });
  });
});

describe("a value in the path of a file that the page refers to", () => {
  const BUILD = "/static/abcd1234ef/app.js";
  const MASKED = "/static/aaaa0000aa/app.js";
  it.each([
    ["is masked if it is in a query too", "/?build=abcd1234ef", "https://www.example.com", MASKED],
    ["is masked if the file is of another site", "/", "https://cdn.example", MASKED],
    ["stays if a cookie alone has it", "/", "https://www.example.com", BUILD],
  ])("%s", async (_name, page, origin, expected) => {
    const url = new URL(page, "https://www.example.com");
    const secrets = openSecrets({}, url);
    secrets.noteCookies(url, ["set-cookie", "build=abcd1234ef", "set-cookie", "v=bcde2345fa"]);
    secrets.noteFile(new URL(`${BUILD}?v=bcde2345fa#bcde2345fa`, origin));
    expect(await secrets.hide({ url: BUILD, title: "bcde2345fa" })).toEqual({
      url: expected,
      title: "aaaa0000aa",
    });
  });
});

describe("a value made of words that rules read stays:", () => {
  it.each([
    ["alone", "?a=noindex,+nofollow", "noindex, nofollow", "noindex, nofollow"],
    [
      "beside others",
      "?a=noindex,+nofollow&b=ann@example.org",
      "noindex, nofollow ann@example.org",
      "noindex, nofollow xxx@xxxxxxx.xxx",
    ],
    [
      "with short numbers",
      "?b=max-age%3D31536000;includeSubDomains",
      "max-age=31536000;includeSubDomains",
      "max-age=31536000;includeSubDomains",
    ],
  ])("%s", async (_name, query, text, expected) => {
    expect(await hideText(`/${query}`, text)).toBe(expected);
  });

  it.each([
    ["another word", "noindex, annabel", "xxxxxxx, xxxxxxx"],
    ["a word in other letters", "data Зоя Ким", "xxxx Xxx Xxx"],
    ["a long number", "max-age=493821057", "xxx-xxx=000000000"],
    ["more numbers than words", "data 4111 1111 1111 1111", "xxxx 0000 0000 0000 0000"],
  ])("but not with %s", async (_name, value, expected) => {
    expect(await hideText(`/?a=${encodeURIComponent(value)}`, value)).toBe(expected);
  });
});

it("overlapping values are masked completely", async () => {
  expect(await hideText("/?a=abcd-efgh-1234&b=1234-ijkl-mnop", "abcd-efgh-1234-ijkl-mnop!")).toBe(
    "xxxx-xxxx-0000-xxxx-xxxx!",
  );
});
