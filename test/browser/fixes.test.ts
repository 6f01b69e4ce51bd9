import { chromium } from "playwright-core";
import { expect, inject, test } from "vitest";
import { pasteFixes } from "../harness/fixes.ts";
import { use } from "../harness/use.ts";
import { FIX_CASES } from "./fix-cases.ts";

const isThorough = inject("isThorough");

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);

test.each(FIX_CASES)("pasted fixes keep the page working: $name", async (page) => {
  const pasted = await pasteFixes(shared.browser, page, isThorough);
  expect(pasted[0]?.lines.length).toBeGreaterThan(2);
  expect(pasted[0]?.lines).toEqual(expect.arrayContaining([...page.elements]));
  expect(pasted.filter(({ lost }) => lost.length > 0)).toEqual([]);
});
