import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { pasteFixes } from "../harness/fixes.ts";
import { use } from "../harness/use.ts";
import { BLOCKED_CASES } from "./blocked-cases.ts";
import { FIX_CASES } from "./fix-cases.ts";

const isThorough = inject("isThorough");
const CASES = isThorough ? [...FIX_CASES, ...BLOCKED_CASES] : FIX_CASES;

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);

test.each(CASES)("what is pasted keeps what works: $topic, $name", async (page) => {
  const pasted = await pasteFixes(shared.browser, page, isThorough);
  expect(pasted[0]?.lines.length).toBeGreaterThan(2);
  expect(pasted.filter(({ lost }) => lost.length > 0)).toEqual([]);
});
