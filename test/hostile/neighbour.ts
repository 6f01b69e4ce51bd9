import { expect } from "vitest";
import { type Site, startSite } from "../harness/site.ts";
import type { Report, Visitor } from "./visitor.ts";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The neighbour</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/page.css">
    <script src="/page.js" defer></script>
  </head>
  <body>${"<p>A page with nothing to hide, and a link <a href='/about'>to another</a>.".repeat(40)}</body>
</html>
`;
const html = { headers: { "content-type": "text/html; charset=utf-8" }, body: PAGE };

/** An ordinary site, which is checked beside a hostile one and must not notice. */
export interface Neighbour {
  /** Checks it once more, unless a check is under way, and expects what the first check of all saw. */
  visit(): Promise<void>;
  close(): Promise<void>;
}

/** Its time to first byte is that of the process that serves both sites. */
function outcomesOf({ result }: Report): object {
  const judged = result.findings.filter(({ id }) => id !== "perf.ttfb");
  return Object.fromEntries(judged.map(({ id, status }) => [id, status]));
}

/** Starts the site and checks it while nothing else is. */
export async function startNeighbour({ visit }: Pick<Visitor, "visit">): Promise<Neighbour> {
  const site: Site = await startSite({
    routes: {
      "/": html,
      "/about": html,
      "/page.css": { headers: { "content-type": "text/css" }, body: "p { margin: 2rem }" },
      "/page.js": { headers: { "content-type": "text/javascript" }, body: "void 0;" },
    },
  });
  const alone = outcomesOf(await visit({ url: site.url }));
  expect(alone).toMatchObject({ "reach.html": "pass", "asset.broken": "pass" });
  let underWay: Promise<void> | undefined;

  async function visitOnce(): Promise<void> {
    const report = await visit({ url: site.url });
    underWay = undefined;
    expect([report.evidence.page.failure, outcomesOf(report)]).toEqual([null, alone]);
    expect(report.leftOpen).toBe("");
  }

  return { visit: () => (underWay ??= visitOnce()), close: () => site.close() };
}
