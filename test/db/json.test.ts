import { expect, test } from "vitest";
import { fragment } from "../../server/db/driver/fragment.ts";
import { firstValue } from "../../server/db/driver/rows.ts";
import { asList } from "../../server/db/paged-lists.ts";
import { useDatabase } from "../harness/opened-database.ts";

const NOON = "2026-11-27T12:00:00.123456+02:00";
const TIME = new Date("2026-11-27T10:00:00.123Z");
const database = useDatabase();
const at = fragment`${NOON}::timestamptz`;
const row = fragment`select ${at} as since, null::timestamptz as "closedAt", ${NOON}::text as label`;

test.each([
  ["a column that is a time", at, TIME],
  [
    "the times that a list names",
    asList(row, "since closedAt"),
    [{ since: TIME, closedAt: null, label: NOON }],
  ],
  [
    "the times of a list within a row",
    asList(fragment`select ${at} as at, ${asList(row, "since")} as rows`, "at"),
    [{ at: TIME, rows: [{ since: TIME, closedAt: null, label: NOON }] }],
  ],
  ["a list of no rows", asList(fragment`select * from (${row}) row where false`, "since"), []],
  [
    "what is stored within a row, as it is",
    asList(fragment`select ${`{"at":"${NOON}"}`}::text::jsonb as seen`),
    [{ seen: { at: NOON } }],
  ],
])("reads %s", async (_, value, expected) => {
  expect(await firstValue(database.sql<{ value: unknown }>`select ${value} as value`)).toEqual(
    expected,
  );
});
