import { expect, test } from "vitest";
import {
  fragment,
  writeQuery,
  type Parameter,
  type Value,
} from "../../server/db/driver/fragment.ts";

const now = () => fragment`now()`;
const either = (first: Value, second: Value) => fragment`coalesce(${first}, ${second})`;

test.each([
  ["two parameters", ["a", "b"], "select $1, $2", ["a", "b"]],
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
  "one template with %s has a different text",
  (_, [first, second], text, values) => {
    const parameters: Parameter[] = [];
    expect(writeQuery(fragment`select ${first}, ${second}`, parameters)).toBe(text);
    expect(parameters).toEqual(values);
  },
);
