import { expect, test } from "vitest";
import { openBudget } from "../../../server/engine/net/budget.ts";

test("a reserve larger than what is left sets nothing aside", async () => {
  const budget = openBudget(2);
  const reserve = budget.reserve(3);
  expect(reserve.take()).toBe(false);
  reserve.release();
  expect(await Promise.all([budget.take(), budget.take(), budget.take()])).toEqual([
    true,
    true,
    false,
  ]);
});

test("what a reserve gives back goes to those who wait, first come first served", async () => {
  const budget = openBudget(3);
  const reserve = budget.reserve(3);
  expect(reserve.take()).toBe(true);
  const waiting = [budget.take(), budget.take(), budget.take()];
  reserve.release();
  expect(await Promise.all(waiting)).toEqual([true, true, false]);
});

test("nobody is refused while a reserve may still be let go", async () => {
  const budget = openBudget(1);
  const [first, second] = [budget.reserve(1), budget.reserve(0)];
  const asked = budget.take();
  first.release();
  second.release();
  first.release();
  expect(await asked).toBe(true);
  expect(await budget.take()).toBe(false);
});
