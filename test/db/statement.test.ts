import { expect, test } from "vitest";
import { fragment, type Value } from "../../server/db/driver/fragment.ts";
import { writeStatement } from "../../server/db/driver/statement.ts";

const choose = (...values: [Value, Value]) => write`select ${values[0]}, ${values[1]}`;
const write = (strings: TemplateStringsArray, ...values: Value[]) =>
  writeStatement(strings, values);
const now = () => fragment`now()`;
const either = (first: Value, second: Value) => fragment`coalesce(${first}, ${second})`;

test.each([
  ["two parameters", ["a", "b"], "select $1, $2", ["a", "b"]],
  ["other parameters", ["c", null], "select $1, $2", ["c", null]],
  ["a fragment first", [now(), "b"], "select now(), $1", ["b"]],
  ["a fragment last", ["a", now()], "select $1, now()", ["a"]],
  ["fragments alone", [now(), now()], "select now(), now()", []],
  [
    "parameters in a fragment",
    [either("a", "b"), "c"],
    "select coalesce($1, $2), $3",
    ["a", "b", "c"],
  ],
  [
    "a fragment in a fragment",
    [either(now(), "b"), "c"],
    "select coalesce(now(), $1), $2",
    ["b", "c"],
  ],
  ["its neighbour", [either("a", now()), "c"], "select coalesce($1, now()), $2", ["a", "c"]],
] as [string, [Value, Value], string, Value[]][])(
  "one template with %s has its own text, at first and again",
  (_, values, text, parameters) => {
    const first = choose(...values);
    expect(first).toMatchObject({ text, values: parameters });
    expect(choose(...values)).toEqual(first);
  },
);

test("queries with one text are one prepared statement, others are not", () => {
  const names = [write`select ${"a"} as x`, write`select ${"b"} as x`, write`select ${"a"} as y`];
  const [name, same, other] = names.map((statement) => statement.name);
  expect(same).toBe(name);
  expect(other).not.toBe(name);
});
