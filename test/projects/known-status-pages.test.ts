import { beforeEach, expect, test } from "vitest";
import { toSql } from "../../server/db/driver/sql.ts";
import { createStatusPages, type StatusPages } from "../../server/projects/known-status-pages.ts";

const PROJECT = "prj_tea";

let now: number;
let pages: StatusPages;
/** How many statements were made. */
let made: number;
/** What a statement finds. */
let find: () => Promise<object[]>;

beforeEach(() => {
  [now, made] = [0, 0];
  pages = createStatusPages(() => now);
});

const sql = toSql(async () => {
  made++;
  return (await find()) as never[];
});
const found = () => Promise.resolve([{ projectId: PROJECT, name: "tea" }]);
const none = () => Promise.resolve([]);

/** How many statements an answer about a name costs. */
async function costOf(name: string, finding = found): Promise<number> {
  const before = made;
  find = finding;
  if (pages.find(name) === undefined) await pages.read(sql, name);
  return made - before;
}

test("a page is cached for 60 s, and a missing one for 5 s", async () => {
  const costs = [];
  for (const seconds of [0, 4, 5, 59, 60]) {
    now = seconds * 1000;
    costs.push([seconds, await costOf("tea"), await costOf("nobody", none)]);
  }
  expect(costs).toEqual([
    [0, 1, 1],
    [4, 0, 0],
    [5, 0, 1],
    [59, 0, 1],
    [60, 1, 0],
  ]);
});

test("a failed read is not cached", async () => {
  await expect(costOf("tea", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await costOf("tea")).toBe(1);
});

test.each([
  ["10,000 names without a page", 10_000, none],
  ["500 pages", 500, found],
])("of %s the last requested ones stay cached", async (_what, most, finding) => {
  for (let one = 0; one < most; one++) await costOf(`${one}`, finding);
  expect(await costOf("0", finding)).toBe(0);
  await costOf("one more", finding);
  expect([await costOf("0", finding), await costOf("1", finding)]).toEqual([0, 1]);
});

test.each([
  ["a project's page", found, PROJECT],
  ["a name that has no page", none, "tea"],
])("%s is dropped from the cache, even during a read", async (_what, finding, what) => {
  await costOf("tea", finding);
  pages.forget(what);
  expect(await costOf("tea", finding)).toBe(1);
  pages.forget(what);
  await costOf("tea", async () => {
    pages.forget("another");
    pages.forget(what);
    return finding();
  });
  expect(await costOf("tea", finding)).toBe(1);
  expect(await costOf("tea", finding)).toBe(0);
});
