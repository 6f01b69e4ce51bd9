import { createHash } from "node:crypto";
import * as zlib from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { MAX_FILE_BYTES, MAX_READ_BYTES } from "../../../server/base/bounds.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { FileFacts } from "../../../server/engine/evidence/html.ts";
import { probeUrl } from "../../harness/probing.ts";
import { type Route, type Routes, type Site, startSite } from "../../harness/site.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const JS = { "content-type": "text/javascript" };
/** Parted, so that no scanner takes this file for a leak. */
const KEY = ["sk", "live", "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5U"].join("_");

const sites: Site[] = [];

afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

const script = (body: string | Buffer, headers = {}): Route => ({
  headers: { ...JS, ...headers },
  body,
});

/** The files of a page on shop.test; `{cdn}` and `{static}` in it are the same server under other names. */
async function probeFiles(body: string, files: Routes): Promise<(FileFacts | null)[]> {
  const { assets } = await probePage(body, files);
  return assets.map(({ file }) => file);
}

async function probePage(body: string, files: Routes): Promise<Evidence> {
  const hosts = ["www.shop.test", "static.shop.test", "cdn.test"];
  const page: Route = ({ socket }, response) => {
    const named = body
      .replaceAll("{cdn}", `https://cdn.test:${socket.localPort}`)
      .replaceAll("{static}", `https://static.shop.test:${socket.localPort}`);
    response.writeHead(200, HTML).end(`<!doctype html><title>t</title>${named}`);
  };
  const site = await startSite({ hosts, routes: { "/": page, ...files } });
  sites.push(site);
  return probeUrl(`https://www.shop.test:${site.port}/`);
}

const secret = [{ kind: "stripe_key", line: 2, isShown: false }];
const bundle = `let a;\nconst key = "${KEY}";`;

describe("the part of a file that is read", () => {
  test.skipIf("createZstdDecompress" in zlib)("is none in a coding that Node lacks", async () => {
    const file = script(bundle, { "content-encoding": "zstd" });
    expect(await probeFiles('<script src="/a"></script>', { "/a": file })).toEqual([null]);
  });

  test.each<[string, string, Route, object | null]>([
    ["an image", '<img src="/a">', script(bundle), null],
    ["another site's script", '<script src="{cdn}/a"></script>', script(bundle), null],
    [
      "a page in place of a script",
      '<script src="/a"></script>',
      { headers: HTML, body: bundle },
      null,
    ],
    [
      "a script that is missing",
      '<script src="/a"></script>',
      { status: 404, headers: JS, body: bundle },
      null,
    ],
    [
      "a script",
      '<script src="/a"></script>',
      script(bundle),
      { isWhole: true, credentials: secret },
    ],
    [
      "one for old browsers",
      '<script nomodule src="/a"></script>',
      script(bundle),
      { credentials: secret },
    ],
    [
      "one that is only named ahead",
      '<link rel="modulepreload" href="/a">',
      script(bundle),
      { credentials: secret },
    ],
    [
      "a style sheet",
      '<link rel="stylesheet" href="/a">',
      script(bundle, { "content-type": "text/css" }),
      { credentials: secret },
    ],
    [
      "a script of the same domain",
      '<script src="{static}/a"></script>',
      script(bundle),
      { credentials: secret },
    ],
    [
      "a packed script",
      '<script src="/a"></script>',
      script(zlib.gzipSync(bundle), { "content-encoding": "gzip" }),
      { credentials: secret },
    ],
    [
      "the beginning of a long one",
      '<script src="/a"></script>',
      script(`${bundle}${";".repeat(MAX_FILE_BYTES)}`),
      { isWhole: false, credentials: secret },
    ],
    [
      "no more than the beginning",
      '<script src="/a"></script>',
      script(`${" ".repeat(MAX_FILE_BYTES)}${bundle}`),
      { isWhole: false, credentials: [] },
    ],
  ])("%s", async (_what, body, route, facts) => {
    const [file] = await probeFiles(body, { "/a": route });
    if (facts === null) expect(file).toBeNull();
    else expect(file).toMatchObject(facts);
  });

  test("is limited in total by what the page leaves, first files first", async () => {
    const paths = Array.from({ length: 13 }, (_, index) => `/${index}.js`);
    const long = script(`${" ".repeat(MAX_FILE_BYTES - 100)}"${KEY}"`);
    const padding = `<!--${" ".repeat(MAX_FILE_BYTES / 2)}-->`;
    const files = await probeFiles(
      padding + paths.map((path) => `<script src="${path}"></script>`).join(""),
      Object.fromEntries(paths.map((path) => [path, long])),
    );
    expect(files.map((file) => file?.isWhole ?? null)).toEqual([
      ...Array.from({ length: MAX_READ_BYTES / MAX_FILE_BYTES - 1 }, () => true),
      false,
      null,
      null,
      null,
    ]);
  });
});

describe("what a file reveals about its site", () => {
  const tag = '<script src="/a.js"></script>';
  const map = { "/a.js.map": script("{}", { "content-type": "application/json" }) };

  test("is its private addresses, its build and its source map, which is fetched", async () => {
    const text =
      'fetch("http://localhost:3000/api");//# sourceURL=webpack-internal:///a\n//# sourceMappingURL=a.js.map\n';
    const evidence = await probePage(tag, { "/a.js": script(text), ...map });
    expect(evidence.assets[0]?.file).toMatchObject({
      privateUrls: [{ url: "http://localhost:3000/api", line: 1 }],
      developmentBuild: "webpack",
      sourceMap: "a.js.map",
    });
    expect(evidence.sourceMap).toMatchObject({ status: 200 });
    expect(new URL(evidence.sourceMap?.url ?? "").pathname).toBe("/a.js.map");
  });

  test.each([
    ["none", "a();"],
    ["one within", "a();//# sourceMappingURL=data:application/json;base64,e30="],
    ["one in a text", `a("sourceMappingURL=a.js.map")${" ".repeat(600)}`],
  ])("is no source map to fetch: %s", async (_, text) => {
    const evidence = await probePage(tag, { "/a.js": script(text), ...map });
    expect(evidence.sourceMap).toBeNull();
  });
});

describe("the integrity of an element", () => {
  const digest = (kind: string, of = bundle) =>
    `${kind}-${createHash(kind).update(of).digest("base64")}`;

  test.each<[string, string, boolean | null]>([
    ["none", "", null],
    [
      "no digest that browsers know",
      "md5-1B2M2Y8AsgTpgAmY7PhCfg== SHA256-x sha256- sha384-***",
      null,
    ],
    ["one too short for any file", "sha256-short", false],
    ["the file's beside a short one of a stronger kind", `${digest("sha384")} sha512-short`, false],
    ["the file's beside a short one of its kind", `${digest("sha384")} sha384-short`, true],
    ["the file's beside a short one of a weaker kind", `${digest("sha384")} sha256-short`, true],
    ["the file's beside one that is no base64", `${digest("sha384")} sha512-***`, true],
    ["the file's without padding", digest("sha256").replace(/=+$/, ""), true],
    ["another file's", digest("sha384", "x"), false],
    ["the file's", digest("sha384"), true],
    [
      "the file's, with letters of addresses",
      digest("sha512").replaceAll("+", "-").replaceAll("/", "_"),
      true,
    ],
    ["one of two", `${digest("sha384", "x")} ${digest("sha384")}`, true],
    [
      "the file's beside another's of a stronger kind",
      `${digest("sha256")} ${digest("sha512", "x")}`,
      false,
    ],
  ])("%s", async (_what, integrity, matches) => {
    const element = (host: string) =>
      `<script integrity="${integrity}" crossorigin src="${host}/a"></script>`;
    const route = { "/a": script(bundle) };
    const [own] = await probeFiles(element(""), route);
    expect(own?.integrityMatches).toBe(matches);
    const [others] = await probeFiles(element("{cdn}"), route);
    expect(others?.integrityMatches ?? null).toBe(matches);
    expect(others?.credentials ?? []).toEqual([]);
  });

  test("is unknown for an incomplete file", async () => {
    const long = bundle + ";".repeat(MAX_FILE_BYTES);
    const integrity = digest("sha384", long);
    const [file] = await probeFiles(`<script integrity="${integrity}" src="/a"></script>`, {
      "/a": script(long),
    });
    expect(file).toMatchObject({ isWhole: false, integrityMatches: null });
  });
});

describe("a file that is not whole", () => {
  const zipped = zlib.gzipSync("run()");
  const cut: Route = ({ socket }) =>
    socket.end(
      "HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-length: 99\r\n\r\nrun()",
    );
  const gzip = { "content-encoding": "gzip" };

  test.each<[string, Route, boolean]>([
    ["cut off before its length", cut, true],
    ["not in its coding", script("run()", gzip), true],
    ["half of its coding", script(zipped.subarray(0, 14), gzip), true],
    ["without its checksum", script(zipped.subarray(0, -8), gzip), false],
    ["followed by other bytes", script(Buffer.concat([zipped, zipped]), gzip), false],
    ["compressed without saying so", script(zipped), true],
    ["longer than is read", script(";".repeat(MAX_FILE_BYTES + 1)), false],
  ])("%s", async (_what, route, isBroken) => {
    const [file] = await probeFiles('<script src="/a"></script>', { "/a": route });
    expect(file?.isBroken).toBe(isBroken);
  });
});
