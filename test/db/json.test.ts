import { types } from "pg";
import { expect, test } from "vitest";
import { TYPES } from "../../server/db/driver/json.ts";

const NOON = "2026-11-27T12:00:00.123456+02:00";
const TIME = new Date("2026-11-27T10:00:00.123Z");
const read = (type: number, value: unknown): unknown =>
  TYPES.getTypeParser(type, "text")(JSON.stringify(value));

test.each<[string, value: unknown, read: unknown]>([
  ["a time of a row", [{ createdAt: NOON, since: NOON }], [{ createdAt: TIME, since: TIME }]],
  ["a time of a list within a row", [{ days: [{ at: NOON }] }], [{ days: [{ at: TIME }] }]],
  ["a row's other texts", [{ label: NOON, at: "noon" }], [{ label: NOON, at: "noon" }]],
  ["what is stored within a row", [{ seen: { at: NOON } }], [{ seen: { at: NOON } }]],
  ["no time", { closedAt: null }, { closedAt: null }],
  ["a list of texts", [NOON], [NOON]],
])("%s is read from what a statement composes", (_, value, expected) => {
  expect(read(types.builtins.JSON, value)).toEqual(expected);
});

test("what is stored is read as it is", () => {
  expect(read(types.builtins.JSONB, { at: NOON })).toEqual({ at: NOON });
});
