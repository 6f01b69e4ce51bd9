import { describe, expect, it } from "vitest";
import { readBody } from "../../../server/engine/requests/body/body-facts.ts";
import { readRobots } from "../../../server/engine/requests/body/robots.ts";
import { findBlocks } from "../../../server/engine/requests/body/robots-rules.ts";
import { readSitemap } from "../../../server/engine/requests/body/sitemap.ts";
import { Slice } from "../../../server/engine/net/slice.ts";

const PAGE_URL = new URL("https://example.com/");
const LINKS = 100_000;

/** Aborts at the event loop's first turn, which long work gives in between. */
function abortSoon(): AbortSignal {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  return controller.signal;
}

async function readPage(signal: AbortSignal, links: number) {
  const bytes = Buffer.from(
    `<!doctype html><title>a</title>${Array.from({ length: links }, (_, index) => `<a href=/${index}>`).join("")}`,
  );
  const content = {
    bytes,
    wireBytes: bytes.length,
    encoding: null,
    oddities: [],
    state: "whole" as const,
  };
  const guard = { classify: () => "public" as const };
  const { body } = await readBody({
    ...content,
    contentType: "text/html",
    url: PAGE_URL,
    guard,
    signal,
  });
  return body;
}

describe("at the check's deadline reading stops", () => {
  it("for a page, which is then incomplete", async () => {
    const { state, html } = await readPage(abortSoon(), LINKS);
    expect(state).toBe("late");
    expect(html?.title).toBe("a");
    expect(html?.linkCount).toBeLessThan(LINKS);
  });

  it("for no page that was read before", async () => {
    const { state, html } = await readPage(new AbortController().signal, 10);
    expect([state, html?.linkCount]).toEqual(["whole", 10]);
  });

  it("for a robots.txt, about which nothing is then said", async () => {
    const text = "User-agent: *\nDisallow: /\n".repeat(19_000);
    expect(await readRobots(text, new Slice(abortSoon()))).toMatchObject({ isWhole: false });
    const { rules } = await readRobots(text);
    expect(await findBlocks(rules, PAGE_URL, new Slice(AbortSignal.abort()))).toBeNull();
    expect(await findBlocks(rules, PAGE_URL, new Slice())).toHaveLength(3);
  });

  it("for a sitemap", async () => {
    const text = `<urlset>${"<url/>".repeat(170_000)}</urlset>`;
    expect((await readSitemap(text, new Slice(abortSoon()))).valid).toBeNull();
    expect((await readSitemap(text)).valid).toBe(true);
  });
});
