import { describe, expect, it } from "vitest";
import { CREDENTIAL_KINDS } from "../../../server/engine/evidence/html.ts";
import { readBody } from "../../../server/engine/requests/body/body-facts.ts";
import {
  CredentialSearch,
  hideCredentials,
} from "../../../server/engine/requests/privacy/credentials.ts";
import formats from "../../../server/engine/requests/privacy/credential-formats.json" with { type: "json" };
import { tokenFrom } from "../../../shared/token.ts";
import examples from "./credential-examples.json" with { type: "json" };

/** A string of the length and the letters asked for, with no letter twice in a row; no maker ever gave it to anybody. */
function draw(length: number, letters: string): string {
  return Array.from({ length }, (_, index) =>
    letters.charAt((index * index * 7 + index * 11 + 3) % letters.length),
  ).join("");
}
const LETTERS = "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5UtKwZqM1rXbNhSyDgVjCiFaEoPu";
const HEX = "7c1e9a04f83b6d25";

const base62 = (length: number): string => draw(length, LETTERS);
const hex = (length: number): string => draw(length, HEX);
/** Apart from what it is joined to, so that no scanner takes this file for a leak. */
const join = (...parts: string[]): string => parts.join("");
const jwt = (claims: object): string =>
  [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(base62(43))
    .join(".");
const PEM = join("-----BEGIN ", "PRIVATE KEY-----\\n", base62(64), "\\n", base62(64), "\\n");

const DRAWN: Record<string, string> = {
  62: LETTERS,
  hex: HEX,
  low: LETTERS.toLowerCase(),
  UP: LETTERS.toUpperCase(),
  alpha: LETTERS.replaceAll(/\d/g, ""),
};

/** An example of the table with its random parts drawn. */
function fill(example: string): string {
  return example
    .replace("{own}", tokenFrom(base62(34)))
    .replace("{service}", jwt({ iss: "supabase", role: "service_role" }))
    .replaceAll("{uuid}", `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`)
    .replaceAll(/\{(\w+):(\d+)\}/g, (_, kind: string, length: string) =>
      draw(Number(length), DRAWN[kind] ?? ""),
    );
}

const CREDENTIALS = examples.map(
  ([kind = "", example = "", source = ""]) => [kind, fill(example), source] as const,
);

const NO_CREDENTIALS: readonly (readonly [string, string])[] = [
  ["Stripe's publishable key", join("pk_live_", base62(24))],
  ["a Google Maps key", join("AIza", base62(35))],
  ["a Mapbox token of the browser's", join("pk.eyJ", base62(60), ".", base62(22))],
  ["Supabase's anonymous key", jwt({ iss: "supabase", role: "anon" })],
  ["the key of Supabase's local demo", jwt({ iss: "supabase-demo", role: "service_role" })],
  [
    "a token whose payload is no JSON",
    join("eyJ", base62(40), ".eyJ", base62(40), ".", base62(43)),
  ],
  ["a Sentry address", `https://${hex(32)}@o42.ingest.sentry.io/42`],
  ["a Twilio account", join("AC", hex(32))],
  ["AWS's own example", 'accessKeyId: "AKIAIOSFODNN7EXAMPLE"'],
  ["AWS's own example of a secret", "secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'"],
  ["a SHA-1 of that name", join("secret_access_key = '", hex(40), "'")],
  ["a presigned address", join("X-Amz-Credential=AKIA", "Q7ZR2MWX5LD4TVBN/20261120/eu")],
  ["the fields of a signed upload", join('"AWSAccessKeyId":"AKIA', 'Q7ZR2MWX5LD4TVBN"')],
  ["the token of GitHub's documentation", join("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a")],
  ["one of ours with another checksum", join("psk_", base62(40))],
  ["a New Relic key of the browser's", join("NRJS-", hex(19))],
  ["a Sentry address with a project", `https://${hex(32)}@sentry.shop.fr/4`],
  ["a PostHog project", join("phc_", base62(43))],
  ["Supabase's publishable key", join("sb_publishable_", base62(31))],
  ["Supabase's local key", join("sb_secret_", "N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz")],
  ["Square's application", join("sq0idp-", base62(22))],
  ["Datadog's client token", join("pub", hex(32))],
  ["a Twilio account alone", `"${join("AC", hex(32))}"`],
  ["an md5 with a prefix", `key-${hex(32)}`],
  ...["fc-", "sk-"].flatMap((start): (readonly [string, string])[] => [
    [`an md5 of an id: ${start}`, `"<p id='${start}${hex(32)}'>"`],
    [`an md5 of an id in JSON: ${start}`, `{"id":"${start}${hex(32)}"}`],
    [`an md5 that an element is found by: ${start}`, `getElementById("${start}${hex(32)}")`],
    [`an md5 in a style sheet: ${start}`, `"#${start}${hex(32)}"`],
  ]),
  ["a base64 font", join("d09GRgABAAAA/", "EAAA", base62(60), "/", base62(20))],
  [
    "Neon's example",
    "postgres://alex:AbC123dEf@ep-cool-darkness-123456.us-east-2.aws.neon.tech/db",
  ],
  ["Slack's example", join("xoxb-", "17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy")],
  [
    "SendGrid's example",
    join("SG.", "ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr"),
  ],
  [
    "jwt.io's key",
    join(
      "-----BEGIN ",
      "PRIVATE KEY-----\nMIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQC7VJTUt9Us8cKj\n",
      "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n",
    ),
  ],
  ["Stripe's own example", join("sk_test_", "4eC39HqLyjWDarjtT1zdp7dc")],
  ["Stripe's older example", join("sk_test_", "BQokikJOvBiI2HlWgH4olfQ2")],
  ["Stripe's example of payments", join("sk_test_", "26PHem9AhJZvU623DfE1x4sd")],
  ["Stripe's example of intents", join("sk_test_", "tR3PYbcVNZZ796tH88S4VQ2u")],
  ["a placeholder", join("sk_live_", "x".repeat(24))],
  ["a placeholder in words", join("sk_live_", "yourSecretKeyGoesRightHere")],
  ["a placeholder with a word", join("sk_live_", "YOUR_KEY")],
  ["digits in their order", join("sk_live_", "1234567890abcdefghijklmn")],
  ["the middle of a word", join("task_live_", base62(24))],
  ["the middle of an encoded file", join(base62(30), "sk_live_", base62(24))],
  ["a search for the first line of a key", 'pem.replace("-----BEGIN PRIVATE KEY-----", "")'],
  ["a public key", PEM.replace("PRIVATE", "PUBLIC")],
  ["an encrypted key", PEM.replace("PRIVATE", "ENCRYPTED PRIVATE")],
  ["a key left out", "-----BEGIN PRIVATE KEY-----\n" + "x".repeat(64)],
  ["a database of documentation", "postgres://user:password@localhost:5432/db"],
  ["a database of an example", "postgres://shop:tR4vq9Kd2m@db.example.com/shop"],
  ["a database whose password is a word", "mysql://shop:mypassword1@db.shop.fr/shop"],
  ["a page of an example", "https://shop:tR4vq9Kd2m@example.com/"],
  ["a page whose password is a name", "https://api:API_KEY_HERE@api.shop.fr/"],
  ["a path with a sign", "https://shop.fr:8443/@tea:tR4vq9Kd2m@leaf"],
  ["a Sentry address of before 2018", `https://${hex(32)}:${hex(32)}@sentry.shop.fr/4`],
  ["the public part of a PGP key", PEM.replace("PRIVATE KEY", "PGP PUBLIC KEY BLOCK")],
  ["a database filled in later", "postgres://${USER}:${PASSWORD}@db.shop.fr/shop"],
];

function search(text: string) {
  const searching = new CredentialSearch(text);
  while (searching.read()) continue;
  return searching.found.map(({ kind, line }) => ({ kind, line }));
}

describe("not a credential:", () => {
  it.each(NO_CREDENTIALS)("%s", (_what, text) => {
    expect(search(`const a = ${text};`)).toEqual([]);
    expect(hideCredentials(text)).toBe(text);
  });
});

describe("a credential", () => {
  it("has an example and a name for each format", () => {
    const kinds = new Set(CREDENTIALS.map(([kind]) => kind));
    for (const { kind } of formats) expect([...kinds]).toContain(kind);
    expect(Object.keys(CREDENTIAL_KINDS)).toEqual([...kinds].toSorted());
  });

  it.each(CREDENTIALS)("%s: %s (%s)", (kind, text) => {
    for (const script of [`a = "${text}";`, `{"a":"\\u0022${text}\\u0022"}`, `A=b\\n${text}`])
      expect(search(script)).toEqual([{ kind, line: 1 }]);
    expect(search(`\n\n  ${text}\n\n`)).toEqual([{ kind, line: 3 }]);
    expect(search(hideCredentials(`\n"${text}"`))).toEqual([]);
  });

  it("is found once in its line, however the text is divided into chunks", () => {
    const text = CREDENTIALS.map(([, one]) => `"${one.replaceAll("\n", "\\n")}"\n`).join("\n");
    const found = search(text);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(
      new Set(CREDENTIALS.map(([kind]) => kind)),
    );
    const late = "a = 1;\n".repeat(2400);
    for (let shift = 0; shift < 200; shift += 3)
      expect(search(`${" ".repeat(shift)}${late}${text}`).map(({ kind }) => kind)).toEqual(
        found.map(({ kind }) => kind),
      );
  });

  it("keeps its host when it is masked in a URL", () => {
    const webhook = CREDENTIALS.find(([kind]) => kind === "slack_webhook")?.[1] ?? "";
    expect(hideCredentials(webhook)).toBe("https://hooks.slack.com/***");
  });
});

function read(html: string) {
  const bytes = Buffer.from(html);
  return readBody({
    bytes,
    wireBytes: bytes.length,
    encoding: null,
    oddities: [],
    state: "whole",
    contentType: "text/html",
    url: new URL("https://shop.fr/"),
    guard: { classify: () => "public" },
  });
}

describe("a page", () => {
  const key = join("sk_live_", base62(24));

  const hidden = { kind: "stripe_key", isShown: false };
  const shown = { kind: "stripe_key", isShown: true };

  it.each<[string, string, object[]]>([
    ["text", `<p>${key}`, [{ ...shown, line: 1 }]],
    ["code", `<pre>\n<code>STRIPE=${key}</code></pre>`, [{ ...shown, line: 2 }]],
    ["a comment", `<!--\n ${key} -->`, [{ ...hidden, line: 2 }]],
    ["an attribute", `<div data-key="${key}">`, [{ ...hidden, line: 1 }]],
    [
      "an escaped attribute",
      `<div data-page="{&quot;k&quot;:&quot;${key}&quot;}">`,
      [{ ...hidden, line: 1 }],
    ],
    ["a script", `<!doctype html>\n<script>\nlet a = "${key}"</script>`, [{ ...hidden, line: 3 }]],
    ["data", `<script type="application/json">{"a":"${key}"}</script>`, [{ ...hidden, line: 1 }]],
    [
      "a script of a template",
      `<template><script>"${key}"</script></template>`,
      [{ ...hidden, line: 1 }],
    ],
    ["a script that does not end", `<script\n\n>"${key}"`, [{ ...hidden, line: 3 }]],
    ["two scripts", `<script>"${key.slice(0, 16)}</script><script>${key.slice(16)}"</script>`, []],
    [
      "code in colours and the data of its page",
      `<pre>"<b>${key.slice(0, 12)}</b><i>${key.slice(12)}</i>"</pre><script>self.__next_f.push([1,"\\"${key}\\""])</script>`,
      [{ ...shown, line: 1 }],
    ],
    [
      "the data of a page that shows another one",
      `<pre>${join("sk_live_", base62(60).slice(30))}</pre>\n<script id="__NEXT_DATA__">{"a":"${key}"}</script>`,
      [
        { ...shown, line: 1 },
        { ...hidden, line: 2 },
      ],
    ],
  ])("reports a credential in %s", async (_where, html, found) => {
    const { body } = await read(html);
    expect(body.html?.credentials).toEqual(found);
    expect(JSON.stringify(body.html?.credentials)).not.toContain(key);
  });

  it("keeps it nowhere in the evidence", async () => {
    const { body } = await read(
      `<title>${key}</title><meta name=description content="the key ${key}"><a href="/${key}/x">` +
        `<img src="/${key}.png"><script src="/a.js?k=${key}"></script><meta property="og:image" content="/${key}">`,
    );
    expect(JSON.stringify(body)).not.toContain(key.slice(0, 14));
    expect(body.html?.links[0]?.url).toBe("https://shop.fr/***/x");
  });
});
