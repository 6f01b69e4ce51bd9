import { describe, expect, it } from "vitest";
import { readBody, type BodyInput } from "../../../server/engine/requests/body/body-facts.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { Body } from "../../../server/engine/evidence/evidence.ts";

async function read(bytes: Buffer | string, given: Partial<BodyInput> = {}): Promise<Body> {
  const decoded = Buffer.from(bytes as Buffer);
  return (
    await readBody({
      bytes: decoded,
      wireBytes: decoded.length,
      encoding: null,
      oddities: [],
      state: "whole",
      contentType: "text/html",
      url: new URL("https://example.com/"),
      guard: { classify: () => "public" },
      ...given,
    })
  ).body;
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

describe("a body that is not a page", () => {
  it.each<[string, Body["state"]]>([
    ["", "whole"],
    [" \n", "whole"],
    ["<p>coded", "unsupported"],
    ["<p>coded", "undecodable"],
  ])("%j (%s) has no HTML facts", async (text, state) => {
    expect(await read(text, { state })).toMatchObject({ html: null, leak: null, challenge: null });
  });

  it("is counted anyway", async () => {
    expect(
      await read("abc", { state: "unsupported", wireBytes: 2, encoding: "zstd" }),
    ).toMatchObject({ wireBytes: 2, decodedBytes: 3, encoding: "zstd", start: "" });
  });

  it("is not read as HTML under another type", async () => {
    expect((await read('{"a":"<p>"}', { contentType: "application/json" })).html).toBeNull();
    expect((await read("bonjour", { contentType: "text/html" })).html).not.toBeNull();
    expect((await read("<!doctype html>", { contentType: null })).html).not.toBeNull();
  });

  it.each([
    ["", false],
    ["bonjour <p>", false],
    ["<?xml version='1.0'?><rss>", false],
    ["<svg>", false],
    ["<article-x>", false],
    ["<!---->".repeat(500), false],
    ["\ufeff\n<!-- a --><!-- b --><!DOCTYPE\nhtml>", true],
    ["<?xml version='1.0'?>\n<html xmlns='x'>", true],
    ["<h1>Bonjour", true],
  ])("%j looks like HTML: %s", async (text, looksLikeHtml) => {
    expect((await read(text, { contentType: null })).looksLikeHtml).toBe(looksLikeHtml);
  });

  it.each([
    ["", false],
    [" <!-- a -->\n", false],
    ['{"a":1}', false],
    ["{}", false],
    ['[ { "a"', false],
    ["[[1,2],[3]]", false],
    ['["a"]', false],
    ["%PDF-1.7", false],
    ["<?xml version='1.0'?><rss>", false],
    ["<svg>", false],
    ["\x89PNG\r\n\x1a\n\0\0", false],
    ["bonjour", true],
    ["<canvas>", true],
    ["<my-app></my-app>", true],
    ["<strong>a", true],
    [";<!doctype html>", true],
    ["{{ title }} <p>", true],
    ["[1] A note", true],
    ["[] A box", true],
    ["<?xml version='1.0'?>\n<html xmlns='x'>", true],
  ])("as text/html, %j looks like HTML: %s", async (text, looksLikeHtml) => {
    const contentType = "Text/HTML; charset=utf-8";
    expect((await read(text, { contentType })).looksLikeHtml).toBe(looksLikeHtml);
  });
});

describe("charset", () => {
  it.each<[string, Buffer, string | null]>([
    [
      "Latin-1 declared UTF-8 by the header",
      latin1("<meta charset=latin1><title>é"),
      "text/html; charset=utf-8",
    ],
    ["Latin-1 declared UTF-8 by meta", latin1("<meta charset=utf-8><title>é"), null],
    [
      "UTF-16 without a BOM",
      Buffer.from("<title>é\ud800", "utf16le"),
      "text/html; charset=utf-16le",
    ],
    ["UTF-8 with a wrong byte, undeclared", latin1("<title>\xc3\xa9\xc3\xa8\xc3"), null],
    ["windows-1251, undeclared", latin1("<title>\xd7\xe0\xe9 \xe8 \xf1\xe0\xf5\xe0\xf0"), null],
    ["Shift_JIS, undeclared", latin1("<title>\x83\x65\x81\x42"), null],
    ["an unknown charset", Buffer.from("<title>é"), "text/html; charset=utf8mb4"],
    [
      "a meta behind 1,024 bytes",
      latin1(`${" ".repeat(1024)}<meta charset=windows-1251><title>\xe9\xe8\xe9`),
      null,
    ],
    [
      "a meta in a comment",
      latin1("<!-- <meta charset=windows-1251> --><title>\xe9\xe8\xe9"),
      null,
    ],
  ])("%s is an error", async (_name, bytes, contentType) => {
    expect((await read(bytes, { contentType })).charsetError).toBe(true);
  });

  it.each<[string, Buffer, string | null]>([
    ["UTF-8 without a word", Buffer.from("<title>é"), null],
    ["windows-1252 without a word", latin1("<title>é</title><p>D\xe9j\xe0 l\x92\xe9t\xe9"), null],
    [
      "UTF-8 with a BOM, whatever the header says",
      Buffer.from("\ufeff<title>é"),
      "text/html; charset=latin1",
    ],
    ["UTF-16 with a BOM", utf16("<title>é"), "text/html"],
    ["Latin-1 in a comment", latin1("<!-- <meta charset=latin1> --><title>é"), null],
    ["Latin-1 by the header", latin1("<title>é"), 'text/html; Charset="ISO-8859-1"'],
    ["Latin-1 by meta", latin1("<meta charset=' latin1 '><title>é"), null],
    [
      "Latin-1 by http-equiv",
      latin1('<meta http-equiv=content-type content="text/html; charset=latin1"><title>é'),
      null,
    ],
    ["a meta that cannot be right", Buffer.from("<meta charset=utf-16><title>é"), null],
    [
      "Shift_JIS",
      Buffer.from([...Buffer.from("<title>"), 0x83, 0x65]),
      "text/html; charset=shift_jis",
    ],
  ])("%s is read", async (name, bytes, contentType) => {
    const body = await read(bytes, { contentType });
    expect(body.charsetError).toBe(false);
    expect(body.html?.title).toBe(name === "Shift_JIS" ? "テ" : "é");
  });

  it("tolerates a character cut by the limit, but not one cut by the page", async () => {
    const cut = Buffer.from("<title>é").subarray(0, -1);
    const contentType = "text/html; charset=utf-8";
    expect((await read(cut, { contentType, state: "over_limit" })).charsetError).toBe(false);
    expect((await read(cut, { contentType })).charsetError).toBe(true);
  });

  it.each([
    ["no byte order mark", [], null],
    ["one of UTF-8", [0xef, 0xbb, 0xbf], "utf-8"],
    ["one of UTF-16, little end first", [0xff, 0xfe], "utf-16le"],
    ["one of UTF-16, big end first", [0xfe, 0xff], "utf-16be"],
  ])("%s", async (_name, mark, bomEncoding) => {
    const bytes = Buffer.from([...mark, ...Buffer.from("<title>x")]);
    expect(await read(bytes)).toMatchObject({ bomEncoding });
  });

  it("gives offsets in bytes", async () => {
    const body = await read("\ufeff<p>é</p><meta charset=utf-8>");
    expect(body).toMatchObject({
      bomEncoding: "utf-8",
      html: { charset: { label: "utf-8", offset: 31 } },
    });
    expect((await read('<p>é<div id="sfwdt1">')).leak?.offset).toBe(5);
  });
});

it("keeps no text of a debug page, which may contain a password", async () => {
  const body = await read(
    '<div class="exception-message-wrapper">access denied for root:s3cret</div>',
  );
  expect(body).toMatchObject({ leak: { signature: "Symfony error page" }, html: { text: "" } });
});

it("keeps the start of the page, without secrets", async () => {
  const body = await read(
    `\n<a href="https://u:p@example.com/?k=s3cret">\u0000\n${"x".repeat(500)}`,
  );
  expect(body.start).toMatch(/^<a href="https:\/\/example\.com\/\?k=\*\*\*"> x+…$/);
  expect(body.start.length).toBeLessThanOrEqual(120);
});

const HOSTILE_LENGTH = 1_500_000 / ONE_IN;

function fill(piece: (index: number) => string): string {
  const pieces = ["<!doctype html><title>x</title>"];
  for (let index = 0, length = 0; length < HOSTILE_LENGTH; index++) {
    const next = piece(index);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join("");
}

describe("a hostile page", () => {
  it.each([
    ["links", fill((index) => `<a href=${index}>`)],
    ["the same link", fill(() => "<a href=x>")],
    ["long links", fill((index) => `<a href="http://localhost/${index}${"é".repeat(900)}">`)],
    ["images", fill((index) => `<img src=http://h${index}.example/>`)],
    ["nested elements", fill(() => "<b>")],
    ["wrong ends", fill(() => "<b></i>")],
    ["svg", fill(() => "<svg>")],
    ["templates", fill(() => "<template>")],
    ["roots", fill(() => "<div id=root>")],
    ["attributes", `<img ${fill((index) => `a${index}=b `)}`],
    ["one attribute", `<img src="${fill(() => "&amp;")}">`],
    ["commas in a srcset", `<img srcset="x${fill(() => ",")}a,b,">`],
    ["parentheses in a srcset", `<img srcset="x ${fill(() => "(")}">`],
    ["comments", fill(() => "<!---->")],
    ["open comments", fill(() => "<!--")],
    ["less-than signs", fill(() => "<")],
    ["ampersands", fill(() => "&")],
    ["metas", fill(() => `<meta name=description content="${"é".repeat(2000)}">`)],
    [
      "policies",
      fill(() => `<meta http-equiv=content-security-policy content="${'"\\ '.repeat(4000)}">`),
    ],
    ["canonicals", fill((index) => `<link rel=canonical href="${index}${"é".repeat(3000)}">`)],
    ["unclosed scripts", `/@vite/client"${fill(() => "<script ")}`],
    ["a title", `<title>${fill(() => "a\n")}`],
    ["lone surrogates", fill(() => "\ud800")],
    ["control characters", fill(() => "<a href='\u0000\u202e'>\u0000")],
  ])("of %s gives small facts in a short time", { timeout: 30_000 }, async (_name, text) => {
    const body = await read(text);
    expect(() => Body.parse(body)).not.toThrow();
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(150_000);
    expect(JSON.stringify(body)).not.toMatch(/[\u0080-\u009f\u202a-\u202e]|\\u0000|\\ud800/);
  });
});
