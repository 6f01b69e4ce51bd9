import { describe, expect, it } from "vitest";
import { readBody } from "../../../server/engine/probe/body/body-facts.ts";
import {
  CredentialSearch,
  hideCredentials,
} from "../../../server/engine/probe/privacy/credentials.ts";
import type { CredentialKind } from "../../../server/engine/evidence/html.ts";
import { tokenFrom } from "../../../shared/token.ts";

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
const checked = (prefix: string): string => tokenFrom(base62(30)).replace(/^psk_/, prefix);
const jwt = (claims: object): string =>
  [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(base62(43))
    .join(".");
const PEM = join("-----BEGIN ", "PRIVATE KEY-----\\n", base62(64), "\\n", base62(64), "\\n");

const CREDENTIALS: readonly (readonly [CredentialKind, string])[] = [
  ["airtable_token", join("pat", base62(14), ".", hex(64))],
  ["anthropic_key", join("sk-ant-", "api03-", base62(93), "AA")],
  ["aws_secret_key", join("secretAccessKey: '", base62(40), "'")],
  ["aws_secret_key", join('{\\"AWS_SECRET_ACCESS_KEY\\":\\"', base62(40), '\\"}')],
  ["aws_secret_key", join("'AKIA", "Q7ZR2MWX5LD4TVBN', '", base62(40), "'")],
  ["aws_key_id", join('accessKeyId: "AKIA', 'Q7ZR2MWX5LD4TVBN"')],
  ["database_password", join("postgres://shop:", "tR4vq9Kd2m", "@db.shop.fr:5432/shop")],
  ["database_password", join("mongodb+srv:\\/\\/shop:", "tR4vq9Kd2m", "@c0.ab1cd.mongodb.net/")],
  ["digitalocean_token", join("dop_v1_", hex(64))],
  ["discord_webhook", join("https://discord.com/api/webhooks/", "924871350628419375/", base62(68))],
  ["github_token", checked("ghp_")],
  ["github_token", checked("ghs_")],
  ["github_token", join("github_pat_", base62(22), "_", base62(59))],
  ["gitlab_token", join("glpat-", base62(20))],
  ["google_client_secret", join("GOCSPX-", base62(28))],
  ["huggingface_token", join("hf_", draw(34, LETTERS.replaceAll(/\d/g, "")))],
  ["mapbox_secret_token", join("sk.eyJ", base62(60), ".", base62(22))],
  ["npm_token", checked("npm_")],
  ["openai_key", join("sk-proj-", base62(74), "T3BlbkFJ", base62(74))],
  ["openai_key", join("sk-", base62(20), "T3BlbkFJ", base62(20))],
  ["private_key", PEM],
  ["private_key", PEM.replaceAll("\\n", "\n").replace("PRIVATE", "RSA PRIVATE")],
  ["pypi_token", join("pypi-AgEIcHlwaS5vcmc", base62(80))],
  ["sendgrid_key", join("SG.", base62(22), ".", base62(43))],
  ["shipscore_token", tokenFrom(base62(34))],
  ["shopify_token", join("shpat_", hex(32))],
  ["slack_token", join("xoxb-", "249871350628-249871350629-", base62(24))],
  ["slack_webhook", join("https://hooks.slack.com/services/", "T0Q7ZR2MW/B0XLD4TVB/", base62(24))],
  ["stripe_key", join("sk_live_", base62(24))],
  ["stripe_key", join("rk_live_", base62(99))],
  ["stripe_test_key", join("sk_test_", base62(24))],
  ["stripe_webhook_secret", join("whsec_", base62(32))],
  ["supabase_secret_key", join("sb_secret_", base62(31))],
  ["supabase_secret_key", jwt({ iss: "supabase", role: "service_role" })],
  ["telegram_bot_token", join("https://api.telegram.org/bot", "924871350:AA", base62(33))],
];

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
  ["a GitHub token with another checksum", join("ghp_", base62(36))],
  ["an npm token with another checksum", join("npm_", base62(36))],
  ["one of ours with another checksum", join("psk_", base62(40))],
  ["Stripe's own example", join("sk_test_", "4eC39HqLyjWDarjtT1zdp7dc")],
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
  ["a database filled in later", "postgres://${USER}:${PASSWORD}@db.shop.fr/shop"],
];

function search(text: string, pieceLength = text.length) {
  const searching = new CredentialSearch(text);
  for (let at = 0; at < text.length; at += pieceLength)
    searching.add(at, Math.min(text.length, at + pieceLength));
  return searching.end();
}

describe("what is no credential", () => {
  it.each(NO_CREDENTIALS)("%s", (_what, text) => {
    expect(search(`const a = ${text};`)).toEqual([]);
    expect(hideCredentials(text)).toBe(text);
  });
});

describe("a credential", () => {
  it.each(CREDENTIALS)("%s: %s", (kind, text) => {
    for (const script of [`a = "${text}";`, `{"a":"\\u0022${text}\\u0022"}`, `A=b\\n${text}`])
      expect(search(script)).toEqual([{ kind, line: 1 }]);
    expect(search(`\n\n  ${text}\n\n`)).toEqual([{ kind, line: 3 }]);
    expect(search(hideCredentials(`\n"${text}"`))).toEqual([]);
  });

  it("is found wherever the text is parted, once, in its line", () => {
    const text = CREDENTIALS.map(([, one]) => `"${one.replaceAll("\n", "\\n")}"\n`).join("\n");
    const found = search(text);
    expect(found.length).toBe(new Set(CREDENTIALS.map(([kind]) => kind)).size);
    for (const length of [1, 7, 100, 4096]) expect(search(text, length)).toEqual(found);
    const late = "a = 1;\n".repeat(2400);
    for (let shift = 0; shift < 200; shift += 3)
      expect(search(`${" ".repeat(shift)}${late}${text}`, 4096).map(({ kind }) => kind)).toEqual(
        found.map(({ kind }) => kind),
      );
  });

  it("keeps its host when it is masked in an address", () => {
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
    state: "whole",
    contentType: "text/html",
    url: new URL("https://shop.fr/"),
    guard: { place: () => "public" },
  });
}

describe("a page", () => {
  const key = join("sk_live_", base62(24));

  it.each<[string, string, object[]]>([
    ["text", `<p>${key}`, []],
    ["a comment", `<!-- ${key} -->`, []],
    ["a script", `<!doctype html>\n<script>\nlet a = "${key}"</script>`, [{ line: 3 }]],
    ["data", `<script type="application/json">{"a":"${key}"}</script>`, [{ line: 1 }]],
    ["a script of a template", `<template><script>"${key}"</script></template>`, [{ line: 1 }]],
    ["a script that does not end", `<script\n\n>"${key}"`, [{ line: 3 }]],
    ["two scripts", `<script>"${key.slice(0, 16)}</script><script>${key.slice(16)}"</script>`, []],
  ])("with a credential in %s", async (_where, html, found) => {
    const { body } = await read(html);
    expect(body.html?.credentials).toEqual(
      found.map((place) => ({ kind: "stripe_key", ...place })),
    );
    expect(JSON.stringify(body)).not.toContain(key);
  });

  it("holds it nowhere in what is kept", async () => {
    const { body } = await read(
      `<title>${key}</title><meta name=description content="the key ${key}"><a href="/${key}/x">` +
        `<img src="/${key}.png"><script src="/a.js?k=${key}"></script><meta property="og:image" content="/${key}">`,
    );
    expect(JSON.stringify(body)).not.toContain(key.slice(0, 14));
    expect(body.html?.links[0]?.url).toBe("https://shop.fr/***/x");
  });
});
