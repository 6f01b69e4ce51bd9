/* The site under test, in a separate process: `site.ts AUTHORITY_FILE`. Writes its authority's certificate to the file. */
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { createAuthority } from "../../test/harness/certificates.ts";
import { IMAGES, LINKS, SCRIPTS, SECURE_HEADERS, STYLES, writeGoodPage } from "./good-page.ts";

const LASTING = { "cache-control": "public, max-age=31536000, immutable" };

const authority = await createAuthority();
const [, , authorityFile = ""] = process.argv;
const server = createServer(await authority.issue({ hosts: ["127.0.0.1"] }));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

type Answers = Map<string, [headers: Record<string, string>, body: string | Buffer]>;
const asPage = { ...SECURE_HEADERS, "content-type": "text/html; charset=utf-8" };
const asText = { ...LASTING, "x-content-type-options": "nosniff" };

/** The origin is a parameter, because it differs through the relay. */
function answersFor(origin: string): Answers {
  const page = brotliCompressSync(writeGoodPage(origin));
  const answers: Answers = new Map();
  const packed = { ...asPage, "content-encoding": "br", vary: "accept-encoding" };
  for (const path of ["/", ...LINKS]) answers.set(path, [packed, page]);
  for (const path of SCRIPTS)
    answers.set(path, [{ ...asText, "content-type": "text/javascript" }, "'use strict';"]);
  for (const path of STYLES) answers.set(path, [{ ...asText, "content-type": "text/css" }, "p {}"]);
  for (const path of IMAGES)
    answers.set(path, [{ ...asText, "content-type": "image/svg+xml" }, "<svg/>"]);
  const robots = `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`;
  answers.set("/robots.txt", [{ "content-type": "text/plain" }, robots]);
  const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url></urlset>`;
  answers.set("/sitemap.xml", [{ "content-type": "application/xml" }, sitemap]);
  return answers;
}

const sites = new Map<string, Answers>();
function siteAt(host: string): Answers {
  const answers = sites.get(host) ?? answersFor(`https://${host}`);
  sites.set(host, answers);
  return answers;
}

server.on("request", ({ url = "", headers: { host = "" } }, response) => {
  const answer = siteAt(host).get(url);
  const [headers, body] = answer ?? [asPage, "<!doctype html><title>Not here</title>"];
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(answer ? 200 : 404, { ...headers, ...length });
  response.end(body);
});
writeFileSync(authorityFile, authority.certificate);
process.stderr.write(`listening on https://127.0.0.1:${port}\n`);
