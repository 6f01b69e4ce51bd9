import { beforeEach, expect, test } from "vitest";
import { createTurns, type Turns } from "../../server/watching/turns.ts";

const PLACES = 32;
let turns: Turns;
beforeEach(() => (turns = createTurns(PLACES)));

const wait = (...queues: number[]) =>
  turns.note(queues.map((queue) => ({ queue, dueAt: `since ${queue}` })));
const hold = (queue: number, count: number) =>
  Array.from({ length: count }, () => turns.begin(queue));
const shared = (free: number) =>
  Object.fromEntries(turns.share(free).map(({ queue, limit }) => [queue, limit]));

test("nobody waits, and nothing is shared", () => {
  expect(turns.share(PLACES)).toEqual([]);
  wait(1);
  expect(turns.share(0)).toEqual([]);
});

test("an account that waits alone gets all places, from its mark on", () => {
  wait(1);
  expect(turns.share(PLACES)).toEqual([{ queue: 1, limit: PLACES, mark: "since 1" }]);
});

test.each<[string, held: [queue: number, count: number][], waiting: number[], expected: object]>([
  ["equally", [], [1, 2], { 1: 8, 2: 8 }],
  ["first to whom holds the fewest", [[1, 5]], [1, 2, 3], { 1: 2, 2: 7, 3: 7 }],
  ["to nobody with a quarter while others wait", [[1, 8]], [1, 2], { 2: 8 }],
  ["to whom has a quarter if nobody else waits", [[1, 8]], [1], { 1: 16 }],
  [
    "an eighth to all silent ones while others wait",
    [[-1, 2]],
    [-2, -3, 4],
    { "-2": 1, "-3": 1, 4: 8 },
  ],
  ["nothing to silent ones beyond that", [[-1, 4]], [-2, 3], { 3: 8 }],
  ["to silent ones if nobody else waits", [[-1, 4]], [-2], { "-2": 16 }],
  ["to silent ones up to three quarters", [[-1, 20]], [-2], { "-2": 4 }],
  ["equally to the silent and the other of an account alone", [], [-1, 1], { "-1": 8, 1: 8 }],
  [
    "an account's silent ones count among its own",
    [
      [-1, 3],
      [1, 5],
    ],
    [1, -1, 2],
    { 2: 8 },
  ],
])("16 places are shared %s", (_how, held, waiting, expected) => {
  for (const [queue, count] of held) hold(queue, count);
  wait(...waiting);
  expect(shared(16)).toEqual(expected);
});

test("a place goes to whom holds nothing, however many others wait, and then in turns", () => {
  const crowd = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const queue of crowd.slice(0, PLACES - 1)) hold(queue, 1);
  wait(...crowd.slice(0, PLACES - 1), 1000);
  expect(shared(1)).toEqual({ 1000: 1 });
  turns.end(1000, undefined);
  expect(shared(1)).toEqual({ 1: 1 });
  turns.end(1, "later");
  expect(shared(1)).toEqual({ 2: 1 });
});

test("a queue that is empty has no turn until it is noted again; a look that ends gives its place back", () => {
  wait(1, 2);
  turns.end(1, undefined);
  expect(Object.keys(shared(1))).toEqual(["2"]);
  const [end] = hold(2, 8);
  wait(1);
  expect(shared(9)).toEqual({ 1: 8 });
  turns.end(1, undefined);
  wait(1);
  end?.();
  hold(1, 7);
  expect(shared(2)).toEqual({ 1: 1, 2: 1 });
});
