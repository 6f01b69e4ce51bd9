import { describe, expect, test } from "vitest";
import { openBudget, openRoom } from "../../../server/engine/net/budget.ts";

test("a reserve larger than the rest sets nothing aside", async () => {
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

test("a released reserve goes to the waiting requests, first come first served", async () => {
  const budget = openBudget(3);
  const reserve = budget.reserve(3);
  expect(reserve.take()).toBe(true);
  const waiting = [budget.take(), budget.take(), budget.take()];
  reserve.release();
  expect(await Promise.all(waiting)).toEqual([true, true, false]);
});

test("no request is rejected while a reserve may still be released", async () => {
  const budget = openBudget(1);
  const [first, second] = [budget.reserve(1), budget.reserve(0)];
  const asked = budget.take();
  first.release();
  second.release();
  first.release();
  expect(await asked).toBe(true);
  expect(await budget.take()).toBe(false);
});

describe("the limit for bodies", () => {
  test("grants less than requested only once all earlier bodies have been read", async () => {
    const room = openRoom(1000);
    room.spend(300);
    const [one, two, three, four] = [600, 600, 600, 600].map((bytes) => room.request(bytes));
    expect(await one?.granted).toBe(600);
    one?.release(100);
    expect(await two?.granted).toBe(600);
    two?.release(600);
    expect(await three?.granted).toBe(0);
    three?.release(0);
    expect(await four?.granted).toBe(0);
  });

  test("passes on the share of a body that is abandoned before its turn", async () => {
    const room = openRoom(100);
    const [one, two, three] = [100, 100, 100].map((bytes) => room.request(bytes));
    two?.release(0);
    one?.release(40);
    one?.release(0);
    expect(await three?.granted).toBe(60);
  });

  test("grants nothing to files of a page that used it up", async () => {
    const room = openRoom(100);
    room.spend(200);
    expect(await room.request(10).granted).toBe(0);
  });
});
