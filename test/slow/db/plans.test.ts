import { beforeAll, expect, test } from "vitest";
import { fingerprintOf } from "../../../server/access/tokens.ts";
import { callerOfToken, findCaller } from "../../../server/db/accounts/callers.ts";
import { findLastShip } from "../../../server/db/deployments/deployments.ts";
import { toSql, type Sql } from "../../../server/db/driver/sql.ts";
import { newUnlistedId } from "../../../server/db/id.ts";
import { findBadge } from "../../../server/db/projects/badges.ts";
import { listProjectsOfPage } from "../../../server/db/projects/overview.ts";
import { findProjectPage } from "../../../server/db/projects/project-page.ts";
import { findProjectVersion } from "../../../server/db/projects/project-version.ts";
import { listProjects } from "../../../server/db/projects/projects.ts";
import { findStatusPage } from "../../../server/db/projects/status-pages.ts";
import { listIncidents } from "../../../server/db/watching/incidents.ts";
import { insertCrowd, insertReader } from "../../harness/crowd.ts";
import { useDatabase } from "../../harness/opened-database.ts";
import { insertDays, insertPast } from "../../harness/past.ts";
import { use } from "../../harness/use.ts";

const OTHERS = 100_000;
const FILL_TIMEOUT_MS = 900_000;
const DAYS = 90;

const database = useDatabase(FILL_TIMEOUT_MS);
beforeAll(() => insertCrowd(database, OTHERS), FILL_TIMEOUT_MS);
const reader = use(() => insertReader(database.sql, "alice@example.com"));
beforeAll(async () => {
  const { accountId, projectId } = reader;
  const past = { urls: 1000, open: 100, closed: 10_000, deployments: 5000 };
  await insertPast(database.sql, projectId, past);
  await insertDays(database.sql, projectId, DAYS);
  await database.sql`update tokens set last_used_at = now() where account_id = ${accountId}`;
  await database.sql`
    insert into status_pages (project_id, name, shows_addresses, shows_score, is_indexed)
    values (${projectId}, 'alice', true, true, false)`;
  await database.sql`analyze`;
}, FILL_TIMEOUT_MS);

interface Plan {
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** The blocks that the one query of a function reads. The function gets no rows. */
async function countBlocks(query: (sql: Sql) => Promise<unknown>): Promise<number> {
  const plans: Plan[] = [];
  const explain: Sql["read"] = async (strings, ...values) => {
    const [first, ...rest] = strings;
    const texts = [`explain (analyze, buffers, format json) ${first}`, ...rest];
    const rows = await database.sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      Object.assign(texts, { raw: texts }),
      ...values,
    );
    plans.push(...rows.map((row) => row["QUERY PLAN"][0].Plan));
    return [];
  };
  await query(toSql(explain));
  expect(plans).toHaveLength(1);
  return plans[0]!["Shared Hit Blocks"] + plans[0]!["Shared Read Blocks"];
}

const caller = () => callerOfToken(fingerprintOf(reader.token));

test.each<[name: string, most: number, query: (sql: Sql) => Promise<unknown>]>([
  ["authentication", 60, (sql) => findCaller(sql, caller())],
  ["projects", 400, (sql) => listProjects(sql, caller())],
  ["incidents", 400, (sql) => listIncidents(sql, caller(), { id: reader.projectId }, "fr")],
  [
    "incidents of a project by a name that 100,000 others have",
    60,
    (sql) => listIncidents(sql, caller(), { name: "Site" }, "fr"),
  ],
  ["last ship", 400, (sql) => findLastShip(sql, caller(), { id: reader.projectId })],
  ["the list of projects", 400, (sql) => listProjectsOfPage(sql, caller(), "")],
  [
    "the page of a project",
    400 + 4 * 30,
    (sql) => findProjectPage(sql, caller(), reader.projectId, "en"),
  ],
  ["whether a project has news", 400, (sql) => findProjectVersion(sql, caller(), reader.projectId)],
  ["badge", 60, (sql) => findBadge(sql, newUnlistedId())],
  ["a status page", 400 + 4 * DAYS, (sql) => findStatusPage(sql, "alice")],
])("%s: reads few blocks among 100,000 other accounts", async (_name, most, query) => {
  const blocks = await countBlocks(query);
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(most);
});
