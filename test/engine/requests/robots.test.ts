import { describe, expect, it } from "vitest";
import { readRobots } from "../../../server/engine/requests/body/robots.ts";
import { findBlocks } from "../../../server/engine/requests/body/robots-rules.ts";
import { Slice } from "../../../server/engine/net/slice.ts";

async function blocksOf(text: string, path: string) {
  const { rules } = await readRobots(text);
  return (await findBlocks(rules, new URL(path, "https://example.com"), new Slice())) ?? [];
}

async function blockedAgents(text: string, path = "/"): Promise<string[]> {
  return (await blocksOf(text, path)).map(({ agent }) => agent);
}

const ALL = ["*", "Googlebot", "Bingbot"];

describe("readRobots", () => {
  it("names the deciding line, without its query values", async () => {
    const text = "# no\nUser-agent: *\nDisallow: /\nDisallow: /a?token=s3cret # why";
    expect((await blocksOf(text, "/a?token=s3cret"))[0]).toEqual({
      agent: "*",
      line: 4,
      text: "Disallow: /a?token=***",
    });
  });

  it.each<[string, string, string, string[]]>([
    ["nothing is said", "", "/", []],
    ["an empty Disallow closes nothing", "User-agent: *\nDisallow:", "/", []],
    ["everything is closed", "User-agent: *\nDisallow: /", "/a", ALL],
    ["keys have no case, nor have agents", "USER-AGENT: googleBOT\ndisALLOW:/", "/", ["Googlebot"]],
    [
      "a named group replaces *",
      "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /",
      "/",
      ["*", "Bingbot"],
    ],
    [
      "groups of one agent are one",
      "User-agent: *\nAllow: /b\nUser-agent: x\nUser-agent: *\nDisallow: /a",
      "/a",
      ALL,
    ],
    [
      "several agents share a group",
      "User-agent: Googlebot\nUser-agent: Bingbot/2.0\nDisallow: /",
      "/",
      ["Googlebot", "Bingbot"],
    ],
    [
      "other records do not end a group",
      "User-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow: /",
      "/",
      ALL,
    ],
    ["the longest match wins", "User-agent: *\nDisallow: /\nAllow: /page", "/page/1", []],
    ["wherever it stands", "User-agent: *\nAllow: /page\nDisallow: /page/1", "/page/1", ALL],
    ["Allow wins a tie", "User-agent: *\nDisallow: /page\nAllow: /page", "/page", []],
    ["paths have a case", "User-agent: *\nDisallow: /A", "/a", []],
    ["a path is a prefix", "User-agent: *\nDisallow: /fish", "/fish.html", ALL],
    ["a slash is part of it", "User-agent: *\nDisallow: /fish/", "/fish", []],
    ["* is anything", "User-agent: *\nDisallow: /*.php", "/a/index.php?x", ALL],
    ["* may be nothing", "User-agent: *\nDisallow: /a*b", "/ab", ALL],
    ["$ is the end", "User-agent: *\nDisallow: /*.php$", "/a.php?x", []],
    ["$ after *", "User-agent: *\nDisallow: /*.php$", "/a.php.php", ALL],
    ["$ alone", "User-agent: *\nDisallow: /$", "/", ALL],
    ["$ alone is not a prefix", "User-agent: *\nDisallow: /$", "/a", []],
    ["pieces do not overlap", "User-agent: *\nDisallow: /ab*ba$", "/aba", []],
    ["the query counts", "User-agent: *\nDisallow: /*?sort=", "/a?sort=up", ALL],
    ["escapes are folded", "User-agent: *\nDisallow: /%66oo/é", "/foo/%c3%a9", ALL],
    ["an escaped slash is not a slash", "User-agent: *\nDisallow: /a/b", "/a%2Fb", []],
    ["an escaped star is a star", "User-agent: *\nDisallow: /a%2Ab", "/a*b", ALL],
    ["an escaped star is no wildcard", "User-agent: *\nDisallow: /a%2Ab", "/axb", []],
    ["CR alone ends a line", "User-agent: *\rDisallow: /", "/", ALL],
    ["a BOM is no part of the first key", "\ufeffUser-agent: *\nDisallow: /", "/", ALL],
    ["rules before any agent are nobody's", "Disallow: /\nUser-agent: x", "/", []],
  ])("%s", async (_name, text, path, expected) => {
    expect(await blockedAgents(text, path)).toEqual(expected);
  });

  it.each([
    ["<!doctype html>", 1],
    ["User-agent: *\nDisallow /admin", 2],
    ["User-agent: *\nDisallow: admin", 2],
    ["Allow: /", 1],
    ["User-agent:", 1],
    ["Sitemap: /sitemap.xml", 1],
    ['{ "a": 1 }', 1],
  ])("%j has a bad line %i", async (text, line) => {
    expect((await readRobots(text)).badLine?.line).toBe(line);
  });

  it("reads a common file without a fault", async () => {
    const text =
      "# hello\r\nUser-agent: *\r\nContent-Signal: search=yes\r\nCrawl-delay: 10\r\nDisallow: /admin\r\nAllow: *.css\r\n\r\n" +
      "Sitemap: https://example.com/1.xml?k=v\r\nSitemap: http://example.com/2.xml\r\nsitemap:https://example.com/3.xml\r\nSitemap: https://example.com/4.xml";
    const facts = await readRobots(text);
    expect(facts.badLine).toBeNull();
    expect(await blocksOf(text, "/")).toEqual([]);
    expect(facts.sitemaps.map(String)).toEqual([
      "https://example.com/1.xml?k=v",
      "http://example.com/2.xml",
      "https://example.com/3.xml",
    ]);
  });
});
