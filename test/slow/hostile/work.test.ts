import { describe, expect, it } from "vitest";
import { findKind } from "../../../server/engine/judge/facts/stand-in-words.ts";
import { isHashedName } from "../../../server/base/syntax/hashed-name.ts";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import { openGuard } from "../../../server/engine/net/guard.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { findUsedFaces } from "../../../server/engine/requests/body/style-sheet.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";
import { readRobots } from "../../../server/engine/requests/body/robots.ts";
import { findBlocks } from "../../../server/engine/requests/body/robots-rules.ts";
import { findCredentialsIn } from "../../../server/engine/requests/body/credentials-in.ts";
import { Slice } from "../../../server/engine/net/slice.ts";
import { openSecrets } from "../../../server/engine/requests/privacy/secrets.ts";
import { extractMediaType } from "../../../server/base/syntax/media-type.ts";
import { measureLongestBlock } from "../../harness/blocks.ts";

/** Milliseconds of CPU time that the work took; unlike wall time, it does not include other processes. */
async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const PAGE = new URL("https://example.com/shop/page");

describe("hiding the secrets of a check takes time linear in the evidence:", () => {
  const cookies = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => `a=${"a1".repeat(length / 2)}b${index}`);
  it.each<[string, string[], string]>([
    ["20 cookies that almost come", cookies(20, 64), "a1".repeat(60_000)],
    ["100 cookies of 1 KB", cookies(100, 1000), "a1".repeat(60_000)],
    ["a cookie of 1 KB at each place", [`a=${"a1".repeat(512)}`], "a1".repeat(60_000)],
    [
      "cookies that begin alike",
      Array.from({ length: 300 }, (_, index) => `a=${"a".repeat(20)}${index}`),
      "a".repeat(120_000),
    ],
    ["a cookie that comes everywhere", ["a=a1a1a1a1a1a1a1a1"], "a1".repeat(60_000)],
    ["hosts", ["a=a1a1a1a1a1a1a1a1"], "h://a1a1a1a1a1a1a1a1 ".repeat(6000)],
  ])("%s", async (_name, lines, text) => {
    const evidence = { title: text, start: `${text}…` };
    const secrets = openSecrets({ "cf-access-client-secret": "open-sesame" }, PAGE);
    secrets.noteCookies(
      PAGE,
      lines.flatMap((line) => ["Set-Cookie", line]),
    );
    expect(await measureCpuMs(() => secrets.hide(evidence))).toBeLessThan(1000);
    const hidden = await secrets.hide(evidence);
    expect(JSON.stringify(hidden)).toHaveLength(JSON.stringify(evidence).length);
  });
});

describe("the values of a URL, and their repetitions, take linear time:", () => {
  const list = (values: readonly string[]) => `?${values.map((value) => `a=${value}`).join("&")}`;
  it.each<[string, string, string]>([
    ["1,000 values", list(Array.from({ length: 1000 }, String)), "999 "],
    [
      "prefixes of each other",
      list(Array.from({ length: 60 }, (_, index) => "a".repeat(index))),
      `${"a".repeat(59)}b`,
    ],
    ["addresses in addresses", `?a=${"/?a=".repeat(500)}`, "/?a="],
    ["escapes of escapes", `?a=%${"25".repeat(1000)}41`, "%2525252541"],
    ["what almost is an e-mail address", `?a=a@${"a.".repeat(1000)}@`, "a@a."],
  ])("%s", async (_name, query, piece) => {
    const evidence = { title: piece.repeat(240_000 / piece.length) };
    const hideAll = async () => {
      const secrets = openSecrets({}, new URL(query.slice(0, 2000), PAGE));
      return secrets.hide(evidence);
    };
    expect(await measureCpuMs(hideAll)).toBeLessThan(1000);
  });
});

it("many cut texts, where each end is almost the start of a value", async () => {
  const secrets = openSecrets({}, PAGE);
  const values = Array.from({ length: 120 }, (_, index) => `${"a".repeat(60)}b${index}`);
  secrets.noteCookies(
    PAGE,
    values.flatMap((value) => ["set-cookie", `a=${value}`]),
  );
  const evidence = { links: Array.from({ length: 240 }, () => `${"a".repeat(1000)}…`) };
  expect(await measureCpuMs(() => secrets.hide(evidence))).toBeLessThan(1000);
});

it("paths of 10,000 files, in which a cookie's value may occur", async () => {
  const secrets = openSecrets({}, PAGE);
  secrets.noteCookies(PAGE, ["set-cookie", `a=${"a1".repeat(500)}b`]);
  for (let index = 0; index < 10_000; index++)
    secrets.noteFile(new URL(`/${index}${"a1".repeat(1000)}`, PAGE));
  expect(await measureCpuMs(() => secrets.hide({ title: "a1".repeat(60_000) }))).toBeLessThan(1000);
});

describe("rules of a robots.txt that almost match take limited time:", () => {
  const path = `/${"a".repeat(2000)}`;
  it.each([
    ["one long piece", `/*b${"a".repeat(990)}`],
    ["a piece over the bound", `/*b${"a".repeat(1500)}`],
    ["many pieces", `/${"*a".repeat(400)}b`],
    ["short ones", "/*ab"],
  ])("%s", async (_name, rule) => {
    const count = Math.floor(500_000 / (rule.length + 11));
    const text = `User-agent: *\n${`Disallow: ${rule}\n`.repeat(count)}`;
    const { rules } = await readRobots(text);
    const read = () => findBlocks(rules, new URL(path, PAGE), new Slice());
    expect(await measureCpuMs(read)).toBeLessThan(4000);
  });
});

it("4,000 fonts, searched in the values of 40 style sheets", async () => {
  const sheets = Array.from({ length: 40 }, (_sheet, at) => {
    const fonts = Array.from({ length: 60 }, (_value, index) => "a".repeat(1900) + at + index);
    const faces = Array.from({ length: 100 }, (_face, index) => ({
      address: "a.woff2",
      line: 1,
      kind: "font" as const,
      family: `${at}x${index}${"a".repeat(40)}`,
      isUsual: true,
    }));
    return { imports: [], images: [], fonts, faces };
  });
  expect(await measureCpuMs(() => findUsedFaces(sheets))).toBeLessThan(1000);
});

it("500 credentials, searched in a text that almost contains each", async () => {
  const drawn = (index: number) =>
    `${index}`.padStart(4, "0") + "q7Zr2mWx9Ld4TvBn8YcHs3Jf".slice(4);
  const scripts = Array.from({ length: 500 }, (_, index) => `"sk_live_${drawn(index)}"`).join();
  const shown = Array.from(
    { length: 40_000 },
    (_, index) => `live${drawn(index).slice(0, -1)} `,
  ).join("");
  const read = () => findCredentialsIn(scripts, () => shown, new Slice());
  expect(await measureCpuMs(read)).toBeLessThan(2000);
});

describe("endless hosts and addresses take linear time", () => {
  /** As many different ideographs, of which Punycode takes a time that is quadratic. */
  const host = String.fromCodePoint(
    ...Array.from({ length: 20_000 }, (_, index) => 0x4e00 + index),
  ).repeat(3);
  it.each([
    ["canonicals", `<link rel=canonical href="https://${host}/">`.repeat(7)],
    ["an image without alt", `<img src="https://${host}/">`.repeat(7)],
    ["metas of cards", `<meta property=og:image content="https://${host}/">`.repeat(7)],
    ["metas that refresh", `<meta http-equiv=refresh content="0;url=https://${host}/">`.repeat(7)],
    ["links", `<a href="https://${host}/">`.repeat(7)],
    ["a base", `<base href="https://${host}/"><a href=/a>`],
    [
      "links of a base in letters with accents",
      `<base href="/${"é".repeat(8000)}/">${Array.from({ length: 1000 }, (_, index) => `<img src=f${index}>`).join("")}`,
    ],
  ])("%s", async (_name, page) => {
    const read = () => readHtml(`<p>${page}`, new References(PAGE, () => "public"));
    expect(await measureCpuMs(read)).toBeLessThan(400);
  });

  it("sitemaps of a robots.txt", async () => {
    const lines = `Sitemap: https://${host.slice(0, 16_000)}/\n`.repeat(30);
    expect(await measureCpuMs(() => readRobots(lines))).toBeLessThan(400);
  });
});

it("a media type's characters are read once each, for any text", async () => {
  const worst = [" x", '"', '"\\', ",", ";", ";=", '="', " ", "text/html;", 'a/b;c="\\,"', "\t\\"];
  const read = () => {
    for (const piece of worst) extractMediaType(`text/html${piece.repeat(20_000)}x`);
  };
  expect(await measureCpuMs(read)).toBeLessThan(2000);
});

it.each([
  ["almost base64url", `/${"_G".repeat(50_000)}g${"1".repeat(100_000)}`],
  ["all separators", "-".repeat(200_000)],
  ["hashes without end", `${".0a0a0a0a".repeat(20_000)}!`],
  ["one of extensions", `/a${".a".repeat(100_000)}`],
])("a versioned file's name takes linear time: %s", async (_why, name) => {
  expect(await measureCpuMs(() => isHashedName(name))).toBeLessThan(200);
});

describe("a phrase takes little time, for any text", () => {
  it.each([
    ["hosts", "a.".repeat(5000)],
    ["a host without end", "a-".repeat(5000)],
    ["numbers", "error 404 ".repeat(1000)],
    ["white space", " ".repeat(10_000)],
    ["articles", "the ".repeat(2500)],
    ["servers", "server's ".repeat(1000)],
    ["accents", "e\u0301".repeat(5000)],
  ])("%s", async (_name, phrase) => {
    const find = () => {
      for (let index = 0; index < 100; index++) findKind(phrase);
    };
    expect(await measureCpuMs(find)).toBeLessThan(500);
  });
});

it("a name of thousands of addresses is vetted quickly, also repeatedly", async () => {
  const addresses = [
    ...Array.from({ length: 4000 }, (_, i) => `93.184.${i >> 8}.${i & 255}`),
    ...Array.from({ length: 2200 }, (_, i) => `2606:4700::${(i + 1).toString(16)}`),
  ];
  const network = {
    resolver: { resolve: async () => ({ outcome: "found" as const, addresses }) },
    allowNetworks: parseNetworks(""),
    localAddresses: () => [],
  };
  const guard = openGuard(network, new AbortController().signal);
  const vetOften = async () => {
    for (let times = 0; times < 100; times++) await guard.vet(`https://many.example.com/${times}`);
  };
  expect(await measureLongestBlock(vetOften, 20)).toBeLessThanOrEqual(20);
});
