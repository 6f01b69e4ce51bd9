import { expect, it } from "vitest";
import { Slice } from "../../../server/engine/net/slice.ts";
import { readLocations, readSitemap } from "../../../server/engine/requests/body/sitemap.ts";

const ROOT = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const ENTRY = "<url><loc>https://example.com/?a=1&amp;b=2</loc></url>";
const LONG = `${ROOT}${ENTRY.repeat(3000)}`;

it.each([
  ["nothing", ""],
  ["text", "nothing to see"],
  ["a list with a line that is no address", "https://example.com/\nsoon: more"],
  ["a list of paths", "/a\n/b"],
  ["a page", "<!doctype html><html><body>404</body></html>"],
  ["an XML of another kind", '<opml version="2.0"><body/></opml>'],
  ["a root left open", `${ROOT}${ENTRY}`],
  ["an element left open", `${ROOT}<url><loc>x</url></urlset>`],
  ["two roots", `${ROOT}</urlset>${ROOT}</urlset>`],
  ["text after the root", `${ROOT}</urlset> done`],
  ["text before the root", `Warning: x ${ROOT}</urlset>`],
  ["a bare ampersand", `${ROOT}<url><loc>https://example.com/?a=1&b=2</loc></url></urlset>`],
  ["a bare ampersand in a cut file", `${ROOT}<url><loc>?a&b</loc></url>${ENTRY.repeat(3000)}`],
  ["an element left open in a cut file", `${ROOT}<url><loc>x</url>${ENTRY.repeat(3000)}`],
  ["a comment left open", `${ROOT}<!-- </urlset>`],
])("%s is not a sitemap", async (_name, text) => {
  expect(await readSitemap(text.slice(0, 65_536))).toEqual({ valid: false, origins: [] });
});

it.each([
  [
    "a urlset",
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- x -->\n${ROOT}\n${ENTRY}\n</urlset>\n`,
  ],
  [
    "an index",
    "<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>",
  ],
  ["a list of addresses", "\ufeffhttps://example.com/\r\nhttps://example.com/?a=1&b=2\r\n"],
  ["a list with an empty line", "https://example.com/\n\nhttps://example.com/a\n"],
  [
    "a list that is cut in an address",
    "https://example.com/a-page\n".repeat(3000).slice(0, 65_536),
  ],
  ["an RSS feed", '<rss version="2.0"><channel/></rss>'],
  ["an Atom feed", '<feed xmlns="http://www.w3.org/2005/Atom"><entry/></feed>'],
  ["a prefixed root", '<sm:urlset xmlns:sm="x"><sm:url/></sm:urlset>'],
  ["an empty root", "\ufeff<urlset/>"],
  ["CDATA", `${ROOT}<url><loc><![CDATA[https://example.com/?a&b]]></loc></url></urlset>`],
  ["a file cut in a text", LONG.slice(0, 65_536)],
  ["a file cut in a tag", LONG.slice(0, LONG.indexOf("<loc>", 65_530) + 2)],
  ["a file cut in an entity", LONG.slice(0, LONG.indexOf("&amp;", 65_530) + 3)],
])("%s is a sitemap", async (_name, text) => {
  expect((await readSitemap(text)).valid).toBe(true);
});

it.each([
  ["a urlset", `${ROOT}${ENTRY}<url><loc>\nhttp://b.example/ </loc></url></urlset>`],
  [
    "a prefixed one",
    "<s:urlset><s:loc>https://example.com/</s:loc><s:loc>http://b.example</s:loc></s:urlset>",
  ],
  ["a list", "https://example.com/a\nhttps://example.com/b\nhttp://b.example/"],
])("the origins of %s are kept, each once", async (_name, text) => {
  const { origins } = await readSitemap(text);
  expect(origins).toEqual(["https://example.com", "http://b.example"]);
});

it("at most five origins are kept, and only valid ones", async () => {
  const entries = Array.from({ length: 300 }, (_, at) => `<loc>https://${at}.example/</loc>`);
  const text = `<urlset><loc>/a</loc><loc>urn:a:b</loc><x>https://no.example/</x>${entries.join("")}</urlset>`;
  expect((await readSitemap(text)).origins).toHaveLength(5);
});

it.each<[string, string, Awaited<ReturnType<typeof readLocations>>]>([
  ["a page", "<!doctype html><p>x</p>", null],
  [
    "a feed",
    "<rss><channel><loc>https://a.example/</loc></channel></rss>",
    { pages: [], sitemaps: [] },
  ],
  [
    "a list",
    "https://a.example/\nhttps://b.example/\n",
    { pages: ["https://a.example/", "https://b.example/"], sitemaps: [] },
  ],
  [
    "entities, and the address of an image",
    `${ROOT}<url><loc> https://a.example/?a=1&amp;b=&#x26;&#38;&#9999999; </loc><i:i><i:loc>https://a.example/i.png</i:loc></i:i></url></urlset>`,
    { pages: ["https://a.example/?a=1&b=&&&#9999999;"], sitemaps: [] },
  ],
  [
    "an index",
    "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>",
    { pages: [], sitemaps: ["https://a.example/1.xml"] },
  ],
  [
    "a file that is broken after its first address",
    `${ROOT}<url><loc>/a</loc></url><b></c>`,
    { pages: ["/a"], sitemaps: [] },
  ],
])("the addresses of %s", async (_name, text, found) => {
  expect(await readLocations(text, new Slice(), 10, false)).toEqual(found);
});

it.each([
  ["is kept where the list is whole, however long", false, 2001],
  ["is left where the list was cut", true, 2000],
])("the last address of a list %s", async (_name, isCut, count) => {
  const text = `${"https://a.example/with-a-long-address\n".repeat(2000)}https://a.example/last`;
  const found = await readLocations(text, new Slice(), 3000, isCut);
  expect(found?.pages).toHaveLength(count);
});

it("no more addresses than requested", async () => {
  const text = `${ROOT}${ENTRY.repeat(50)}</urlset>`;
  expect((await readLocations(text, new Slice(), 10, false))?.pages).toHaveLength(10);
});
