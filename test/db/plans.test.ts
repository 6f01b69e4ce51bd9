import { afterAll, beforeAll, expect, test } from "vitest";
import { fingerprintOf } from "../../server/access/token.ts";
import { getCaller } from "../../server/db/callers.ts";
import { findLastShip } from "../../server/db/deployments.ts";
import { listIncidents } from "../../server/db/incidents.ts";
import { listProjects } from "../../server/db/projects.ts";
import type { Database, Sql } from "../../server/db/sql.ts";
import { insertCrowd, insertReader, type Reader } from "../harness/crowd.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { openDatabase } from "../harness/opened-database.ts";

const OTHERS = 100_000;
const FILL_TIMEOUT_MS = 300_000;

let files: TestDatabase;
let database: Database;
let reader: Reader;

beforeAll(async () => {
  files = await createTestDatabase();
  database = await openDatabase(files.env, FILL_TIMEOUT_MS);
  await insertCrowd(database, OTHERS);
  reader = await insertReader(database.sql, "alice@example.com");
  await database.sql`analyze`;
}, FILL_TIMEOUT_MS);

afterAll(async () => {
  await database.close();
  await files.drop();
});

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];

/** The steps, over a table, of the plan of the one query that a function runs; the function itself gets no rows. */
async function explain(read: (sql: Sql) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = [];
  const explaining: Sql = async (strings, ...values) => {
    const [first, ...rest] = strings;
    const prefixed = Object.assign([`explain (format json) ${first}`, ...rest], {
      raw: strings.raw,
    });
    const rows = await database.sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(prefixed, ...values);
    plans.push(...rows.map((row) => row["QUERY PLAN"][0].Plan));
    return [];
  };
  await expect(read(explaining)).rejects.toMatchObject({ code: "unauthorized" });
  expect(plans).toHaveLength(1);
  return plans.flatMap(stepsOf).filter((step) => step["Relation Name"] !== undefined);
}

const fingerprint = () => fingerprintOf(reader.token);

test.each<[string, tables: string[], read: (sql: Sql) => Promise<unknown>]>([
  ["authentication", ["accounts", "tokens"], (sql) => getCaller(sql, fingerprint())],
  [
    "projects",
    ["memberships", "projects", "projects", "tokens", "watched_urls"],
    (sql) => listProjects(sql, fingerprint()),
  ],
  [
    "incidents",
    ["incidents", "memberships", "projects", "tokens"],
    (sql) => listIncidents(sql, fingerprint(), reader.projectId, "fr"),
  ],
  [
    "last ship",
    ["checks", "deployments", "memberships", "projects", "tokens"],
    (sql) => findLastShip(sql, fingerprint(), reader.projectId),
  ],
])("%s: among 100,000 others every step takes an index", async (_name, tables, read) => {
  const steps = await explain(read);
  expect(steps.map((step) => step["Relation Name"] ?? "").toSorted()).toEqual(tables);
  const unindexed = steps.filter((step) => !/Index|Bitmap/.test(step["Node Type"]));
  expect(unindexed).toEqual([]);
});
