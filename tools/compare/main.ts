/* `npx tsx tools/compare/main.ts` compares asset.blocked with what Chromium blocks. Exits with 1 if they differ. */
import { chromium } from "playwright-core";
import { BLOCKED_CASES } from "../../test/browser/blocked-cases.ts";
import { findBrowser } from "../../test/harness/find-browser.ts";
import { compareRefusals, RESOLVE_TO_LOOPBACK } from "../../test/harness/refusals.ts";

const executablePath = findBrowser();
if (executablePath === undefined) throw new Error("there is no browser");
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: process.getuid?.() !== 0,
  args: [RESOLVE_TO_LOOPBACK],
});
const found = await compareRefusals(browser, BLOCKED_CASES).finally(() => browser.close());
const totals = new Map<string, { pages: number; refused: number; accepted: number }>();
for (const [index, { topic, name, lines }] of BLOCKED_CASES.entries()) {
  const { ours = [], chromium: theirs = [] } = found[index] ?? {};
  const both = ours.filter((line) => theirs.includes(line)).length;
  const either = new Set([...ours, ...theirs]).size;
  const { pages, refused, accepted } = totals.get(topic) ?? { pages: 0, refused: 0, accepted: 0 };
  totals.set(topic, {
    pages: pages + 1,
    refused: refused + both,
    accepted: accepted + lines.length - either,
  });
  if (both === either) continue;
  console.log(`${topic}, "${name}" differs`);
  process.exitCode = 1;
}
for (const [topic, { pages, refused, accepted }] of totals)
  console.log(`${topic}: ${pages} pages, both refuse ${refused}, both accept ${accepted}`);
