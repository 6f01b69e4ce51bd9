import { newToken, fingerprintOf } from "../../server/access/tokens.ts";
import { insertAccount } from "../../server/db/accounts/accounts.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { insertDeployment } from "../../server/db/deployments/deployments.ts";
import { newId } from "../../server/db/id.ts";
import { insertProject } from "../../server/db/projects/projects.ts";
import type { Database, Sql } from "../../server/db/driver/sql.ts";
import { scoreShips } from "./past.ts";
import { insertToken } from "../../server/db/accounts/tokens.ts";

/** Inserts in one transaction without triggers and foreign key checks. The rows are valid, and these checks would take most of the time. */
function insertUnchecked(database: Database, insert: (sql: Sql) => Promise<void>): Promise<void> {
  return database.begin(async (sql, runScript) => {
    await runScript("set local session_replication_role = replica");
    await insert(sql);
  });
}

/** Adds `size` other accounts, each with a token, a project, a failing URL, a deployment and a membership. */
export const insertCrowd = (database: Database, size: number): Promise<void> =>
  insertUnchecked(database, (sql) => insertRows(sql, size));

async function insertRows(sql: Sql, size: number): Promise<void> {
  await sql`
    insert into accounts (id, email, plan)
    select 'acc_' || lpad(n::text, 20, '0'), n || '@example.net', 'pro' from generate_series(1, ${size}::int) n`;
  await sql`
    insert into tokens (id, account_id, name, fingerprint, last_used_at)
    select 'tok_' || lpad(n::text, 20, '0'), 'acc_' || lpad(n::text, 20, '0'), 'ci', sha256(n::text::bytea), now()
    from generate_series(1, ${size}::int) n`;
  await sql`
    insert into projects (id, owner_id, name, url, state, state_since)
    select 'prj_' || right(id, 20), id, 'Site', 'https://example.net/', 'degraded', now() from accounts`;
  await sql`
    insert into memberships (project_id, account_id, accepted_at)
    select id, 'acc_' || lpad((right(id, 20)::int % ${size}::int + 1)::text, 20, '0'), now() from projects`;
  await sql`
    insert into watched_urls (id, project_id, url, is_address, score, scored_at)
    select 'url_' || right(id, 20), id, url, true, 90, now() from projects`;
  await sql`
    update looks set last_outcome = 'good', looked_at = now(), first_looked_at = now(), verified_at = now()`;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    select 'inc_' || right(id, 20), id, project_id, url, now(), '{"fr": "Statut 500.", "en": "Status 500."}', now()
    from watched_urls`;
  await sql`
    insert into checks (id, kind, project_id, host, state, lease_until, score, verdict, ruleset)
    select 'chk_' || right(id, 20), 'deployment', id, 'example.net', 'done', now(), 90, 'ship', '2026.1' from projects`;
  await sql`
    insert into deployments (id, project_id, url, environment, check_id)
    select 'dep_' || right(id, 20), id, url, 'production', 'chk_' || right(id, 20) from projects`;
  await scoreShips(sql);
}

async function insertTeam(sql: Sql, email: string) {
  const [accountId, token] = [newId("acc"), newToken()];
  await insertAccount(sql, { id: accountId, email, plan: "team" });
  const fingerprint = fingerprintOf(token);
  await insertToken(sql, { id: newId("tok"), accountId, name: "ci", fingerprint }, 1);
  return { accountId, token };
}

/** Adds an account with 1,000 checks a month and returns its token. */
export const insertChecker = async (sql: Sql, email: string): Promise<string> =>
  (await insertTeam(sql, email)).token;

/** A Team account with three projects; the first has a production deployment and a failing URL. */
export interface Reader {
  accountId: string;
  token: string;
  projectId: string;
}

export async function insertReader(sql: Sql, email: string): Promise<Reader> {
  const { accountId, token } = await insertTeam(sql, email);
  const projectIds = [newId("prj"), newId("prj"), newId("prj")] as const;
  for (const [index, id] of projectIds.entries()) {
    const [name, url] = [`Site ${index + 1}`, `https://${index + 1}.example.com/`];
    await insertProject(sql, { id, ownerId: accountId, name, url });
  }
  const [projectId] = projectIds;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    select ${newId("inc")}, id, project_id, url, now(), '{"fr": "Statut 500.", "en": "Status 500."}', now()
    from watched_urls where project_id = ${projectId}`;
  const [checkId, id] = [newId("chk"), newId("dep")];
  await sql`
    insert into checks (id, kind, project_id, host, state, lease_until, score, verdict, ruleset)
    values (${checkId}, 'deployment', ${projectId}, '1.example.com', 'done', now(), 84, 'ship', '2026.1')`;
  const shipped = {
    projectId,
    url: "https://1.example.com/",
    environment: "production",
    commit: "4b825dc",
    ref: "main",
  };
  await insertDeployment(sql, OPERATOR, { id, ...shipped });
  await sql`update deployments set check_id = ${checkId} where id = ${id}`;
  return { accountId, token, projectId };
}
