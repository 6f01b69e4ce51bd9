import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { compareRefusals } from "../harness/refusals.ts";
import { use } from "../harness/use.ts";
import { BLOCKED_CASES } from "./blocked-cases.ts";

/** One page of so many; `npx tsx tools/compare/main.ts` compares all of them. */
const ONE_IN = Math.ceil(BLOCKED_CASES.length / 20);

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);

test("Chromium blocks exactly what asset.blocked reports", async () => {
  const cases = BLOCKED_CASES.filter((_, index) => index % ONE_IN === 0);
  const found = await compareRefusals(shared.browser, cases);
  expect(found.map(({ ours }, index) => [cases[index]?.name, ours])).toEqual(
    found.map(({ chromium: lines }, index) => [cases[index]?.name, lines]),
  );
  expect(found.flatMap(({ chromium: lines }) => lines).length).toBeGreaterThan(20);
});
