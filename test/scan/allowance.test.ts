import { expect, test } from "vitest";
import { createAllowance } from "../../server/scan/scan-state.ts";

test("each key has its allowance, which is renewed after a time since its first use", () => {
  let now = 0;
  const allowance = createAllowance(2, 60, 2, () => now);
  expect([allowance.take("a"), allowance.take("a")]).toEqual([0, 0]);
  now = 20.5;
  expect(allowance.take("a")).toBe(40);
  expect(allowance.take("b")).toBe(0);
  now = 60;
  expect(allowance.take("a")).toBe(0);
});

test("the most recently used keys are kept", () => {
  const allowance = createAllowance(1, 60, 2, () => 0);
  for (const key of ["a", "b", "a", "c"]) allowance.take(key);
  expect(allowance.take("a")).toBe(60);
  expect(allowance.take("b")).toBe(0);
});
