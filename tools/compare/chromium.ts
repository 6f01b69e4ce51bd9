import { chromium } from "playwright-core";
import { BLOCKED_CASES } from "../../test/browser/blocked-cases.ts";
import { findBrowser } from "../../test/harness/find-browser.ts";
import { compareRefusals, RESOLVE_TO_LOOPBACK } from "../../test/harness/refusals.ts";

/** How often the rule and Chromium agree on the elements of some pages. */
export interface Agreement {
  readonly pages: number;
  readonly refused: number;
  readonly accepted: number;
  readonly differing: readonly string[];
}

/** The pages of test/browser/blocked-cases.ts by what is tried on them, as the rule and Chromium see them. */
export async function compareChromium(): Promise<ReadonlyMap<string, Agreement>> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("there is no browser");
  const chromiumSandbox = process.getuid?.() !== 0;
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox,
    args: [RESOLVE_TO_LOOPBACK],
  });
  try {
    const found = await compareRefusals(browser, BLOCKED_CASES);
    const agreements = new Map<string, Agreement>();
    for (const [index, { topic, name, lines }] of BLOCKED_CASES.entries()) {
      const { ours = [], chromium: theirs = [] } = found[index] ?? {};
      const known = agreements.get(topic) ?? { pages: 0, refused: 0, accepted: 0, differing: [] };
      const both = ours.filter((line) => theirs.includes(line)).length;
      const either = new Set([...ours, ...theirs]).size;
      agreements.set(topic, {
        pages: known.pages + 1,
        refused: known.refused + both,
        accepted: known.accepted + lines.length - either,
        differing: [...known.differing, ...(both === either ? [] : [name])],
      });
    }
    return agreements;
  } finally {
    await browser.close();
  }
}
