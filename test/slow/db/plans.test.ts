import { findStatusPage } from "../../../server/db/projects/status-pages.ts";
import { setFlagsFromString } from "node:v8";
import { beforeAll, expect, test } from "vitest";
import { fingerprintOf } from "../../../server/access/tokens.ts";
import { SCAN_BOUNDS, LEASES } from "../../../server/base/bounds.ts";
import { findAccountSettings } from "../../../server/db/accounts/account-settings.ts";
import { listAlerts, listDeliveries } from "../../../server/db/alerts/alerts.ts";
import { listEvents } from "../../../server/db/accounts/events.ts";
import { findPasswordOf } from "../../../server/db/accounts/passwords.ts";
import { countRecoveryCodes, findFactors } from "../../../server/db/accounts/second-factors.ts";
import { listAccounts } from "../../../server/db/accounts/accounts.ts";
import { findBadge, findScanResult } from "../../../server/db/projects/badges.ts";
import { callerOfToken, findCaller } from "../../../server/db/accounts/callers.ts";
import { removeDeletedAccounts } from "../../../server/db/accounts/deleted-accounts.ts";
import {
  claimDueDeployments,
  listWaitingProjects,
} from "../../../server/db/deployments/deployment-claims.ts";
import { findLastShip, listDeployments } from "../../../server/db/deployments/deployments.ts";
import {
  ALERTS,
  claimAlert,
  claimTargets,
  putOffTargets,
} from "../../../server/db/alerts/alert-claims.ts";
import { findEvents, forgetClients } from "../../../server/db/accounts/events.ts";
import { noteNetwork } from "../../../server/db/accounts/networks.ts";
import { findNotices, takeUntoldNotices } from "../../../server/db/accounts/notices.ts";
import { findSignedIn, hasJustEnded } from "../../../server/db/accounts/sessions.ts";
import { findHistory } from "../../../server/db/projects/history.ts";
import { hasEnded, listWindows } from "../../../server/db/watching/maintenance.ts";
import {
  listAllIncidents,
  listIncidents,
  listIncidentsOfProject,
} from "../../../server/db/watching/incidents.ts";
import { findDeploymentPage } from "../../../server/db/deployments/deployment-page.ts";
import { findIncidentPage, listOpenIncidents } from "../../../server/db/watching/incident-pages.ts";
import { countFailingFrom, listUrlStates } from "../../../server/db/watching/watched-urls.ts";
import { newId, newUnlistedId } from "../../../server/db/id.ts";
import { listProjectsOfPage } from "../../../server/db/projects/project-list.ts";
import {
  insertDeliveries,
  listDeliveries as listReceived,
} from "../../../server/db/deployments/hook-deliveries.ts";
import { findAlertOfPage } from "../../../server/db/alerts/alert-settings.ts";
import { findHookOfPage } from "../../../server/db/deployments/hook-settings.ts";
import { CHECKS_A_MONTH } from "../../../server/access/plans.ts";
import { deleteOldPreviews, findPreviewOrder } from "../../../server/db/projects/previews.ts";
import { isShipAnnounced } from "../../../server/db/watching/fingerprints.ts";
import { findOpenHook, listHooks } from "../../../server/db/deployments/hooks.ts";
import { removeDeletedProjects } from "../../../server/db/projects/deleted-projects.ts";
import { findAct, insertAct, lockAct } from "../../../server/db/projects/acts.ts";
import { findProjectSettings } from "../../../server/db/projects/project-settings.ts";
import { findProjectList, type ProjectLists } from "../../../server/db/projects/project-lists.ts";
import { findProjectVersion } from "../../../server/db/projects/project-version.ts";
import { findProjectPage } from "../../../server/db/projects/project-page.ts";
import { listAllProjects, listProjects } from "../../../server/db/projects/projects.ts";
import {
  findCheckProgress,
  findReports,
  findStoredCheck,
  listChecks,
} from "../../../server/db/checks/reports.ts";
import {
  deleteOldChecks,
  deleteOldEvents,
  deleteOldDays,
  deleteOldHours,
  deleteOldMessages,
  deleteOldStatuses,
  deleteOldScans,
  deleteOldShipChecks,
  deleteOldStarts,
  deleteUnusedHosts,
  deleteUnusedRecipients,
  emptyOldAnswers,
  forgetExpired,
  type Step,
} from "../../../server/db/retention.ts";
import {
  claimScan,
  findProgress,
  findReusableScans,
  findStoredScan,
  insertScan,
} from "../../../server/db/scans/scans.ts";
import {
  findRecipient,
  isAddressOfPeople,
  beginWaiting,
  findConsent,
} from "../../../server/db/alerts/recipients.ts";
import { announceIncident, announceShip } from "../../../server/db/alerts/outbox.ts";
import { findInvitee, listOffers } from "../../../server/db/projects/invitations.ts";
import { findActorsProject, selfOf } from "../../../server/db/projects/roles.ts";
import { claimDueLooks, listWaiting } from "../../../server/db/watching/looks.ts";
import { findUrlPage } from "../../../server/db/watching/url-page.ts";
import { countWatchedUrls } from "../../../server/db/watching/watched-urls.ts";
import { toSql, type Database, type Sql } from "../../../server/db/driver/sql.ts";
import { storeDeploymentScores } from "../../../server/db/checks/scores.ts";
import { ANSWERS } from "../../../server/db/deployments/answers.ts";
import {
  findAnswering,
  findComment,
  listStatuses,
} from "../../../server/db/deployments/statuses.ts";
import {
  findKnownShips,
  findShipBefore,
  insertShips,
} from "../../../server/db/deployments/ships.ts";
import { findApiSettings } from "../../../server/db/accounts/tokens.ts";
import { insertCrowd, insertReader, insertUnchecked } from "../../harness/crowd.ts";
import { insertDays, insertPast } from "../../harness/past.ts";
import { useDatabase } from "../../harness/opened-database.ts";
import { insertTraces } from "../../harness/traces.ts";
import { use } from "../../harness/use.ts";

const OTHERS = 100_000;
const FILL_TIMEOUT_MS = 900_000;

beforeAll(() => {
  // Here it pays to optimise the embedded database's WebAssembly.
  for (const flag of ["--no-liftoff-only", "--wasm-tier-up", "--wasm-dynamic-tiering"])
    setFlagsFromString(flag);
});
const database = useDatabase(FILL_TIMEOUT_MS);
beforeAll(async () => {
  await insertCrowd(database, OTHERS);
  await insertUnchecked(database, async (sql) => {
    await insertChecks(sql);
    await insertScans(sql);
    await insertHours(sql);
    await insertSignedIn(sql);
    await insertOffers(sql);
  });
}, FILL_TIMEOUT_MS);
const reader = use(() => insertReader(database.sql, "alice@example.com"));
beforeAll(async () => {
  // Read-only transactions must not note that the token is used.
  await database.sql`
    update tokens set last_used_at = now() + interval '1 hour' where account_id = ${reader.accountId}`;
  const { accountId, projectId } = reader;
  const past = { urls: 1000, open: 100, closed: 10_000, deployments: 5000 };
  await insertPast(database.sql, projectId, past);
  await insertUnchecked(database, async (sql) => {
    await insertAlerts(sql, projectId);
    await insertHooks(sql, projectId);
    await insertActs(sql);
    await insertTraces(sql, accountId, OTHERS);
  });
  await insertDays(database.sql, projectId, 90);
  await insertLooks(database.sql);
  await database.sql`analyze`;
}, FILL_TIMEOUT_MS);

/** Checks of accounts, a thousand an hour, of which none is due to be cleaned up. */
async function insertChecks(sql: Sql): Promise<void> {
  await sql`
    insert into checks (id, kind, account_id, month, host, state, started_at, lease_until, answer)
    select 'chk_a' || lpad(n::text, 19, '0'), 'api', 'acc_' || lpad(n::text, 20, '0'), '2026-01-01', n || '.example.net', 'done',
      now() - n * interval '3.6 seconds', now(), case when n < 10000 then '{}' end
    from generate_series(1, ${OTHERS / 4}::int) n`;
  await sql`
    insert into usage (account_id, month, used)
    select distinct account_id, month, 1 from checks where kind = 'api'`;
  await sql`insert into hosts (host) select host from checks where kind = 'api'`;
  await insertOldChecks(sql);
}

/** Somebody signed in to every account, with a passkey and a second factor, and events of each. */
async function insertSignedIn(sql: Sql): Promise<void> {
  await sql`
    insert into sessions (id, account_id, fingerprint, browser, address)
    select 'ses_' || right(id, 20), id, sha256(id::bytea), 'Firefox, Linux', '203.0.113.9' from accounts`;
  await sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
    select 'key_' || right(id, 20), id, sha256(id::bytea), '\\x00', 0, '', 'phone' from accounts`;
  await sql`insert into networks (account_id, fingerprint) select id, sha256(id::bytea) from accounts`;
  await sql`insert into ended_sessions (fingerprint) select sha256(id::bytea) from accounts`;
  await sql`
    insert into second_factors (account_id, secret, last_step) select id, '\\x00', 0 from accounts`;
  await sql`
    insert into recovery_codes (fingerprint, account_id) select sha256(id::bytea), id from accounts`;
  await sql`
    insert into events (action, account_id, actor, actor_id, address)
    select 'session.begun', id, 'session', id, '203.0.113.9' from accounts`;
}

/** Those of a process that sends as much to a host, and of the reader, as it may. */
const places = () => ({
  free: 48,
  hosts: { most: 8, held: new Map([["7.example.net", 8]]) },
  owners: { most: 16, held: new Map([[reader.accountId, 16]]) },
});

const recipient = () => `${reader.projectId.slice(-20)}xx`;
/** The hook of the reader's project. */
const hook = () => `hook_${reader.projectId.slice(-20)}`;

/** An invitation to each project, and an offer of each to its member. */
async function insertOffers(sql: Sql): Promise<void> {
  await sql`
    insert into invitations (project_id, email, invited_by)
    select id, right(id, 20)::int % 999 || '@' || right(id, 20) || '.example.net', owner_id from projects`;
  await sql`insert into hand_overs (project_id, account_id) select project_id, account_id from memberships`;
  await sql`
    insert into maintenance (id, project_id, starts_at, ends_at)
    select 'mnt_' || right(id, 20), id, now() + interval '1 day', now() + interval '2 days' from projects`;
  await sql`
    insert into status_pages (project_id, name, shows_addresses, shows_score, is_indexed)
    select id, 'page-' || row_number() over (), false, false, false from projects`;
}

/** An alert of each project, with messages that were sent, and one that waits for its next try. */
async function insertAlerts(sql: Sql, projectId: string): Promise<void> {
  await sql`
    insert into recipients (id, project_id, address_hash) select right(id, 20) || 'xx', id, sha256(id::bytea) from projects`;
  await sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops, due_at)
    select 'alr_' || right(id, 20), id, 'webhook', '\\x00', right(id, 2) || '.example.net', true, true, true,
      case when id = ${projectId} then now() - interval '1 day' else now() + interval '1 day' end
    from projects where id like 'prj_0%' or id = ${projectId}`;
  await sql`
    insert into messages (id, alert_id, project_id, type, data, state, created_at, due_at, tried_at, ended_at)
    select 'msg_' || n || right(id, 20), id, project_id, 'test', '{}', case when n = 1 then 'pending' else 'sent' end,
      now() - n * interval '1 hour', now() + interval '1 day', now() - n * interval '1 hour', case when n > 1 then now() end
    from alerts, generate_series(1, 3) n`;
}

/** What each project's owner just did to it. */
async function insertActs(sql: Sql): Promise<void> {
  await sql`
    insert into acts (id, account_id, project_id, kind, parameters)
    select 'act_' || right(id, 20), owner_id, id, 'badge.on', '{}' from projects where owner_id is not null`;
}

/** A hook of each project, with as many deliveries as it keeps. */
async function insertHooks(sql: Sql, projectId: string): Promise<void> {
  await sql`
    insert into hooks (id, project_id, provider, secret)
    select 'hook_' || right(id, 20), id, 'plain', '\\x00'
    from projects where id like 'prj_0000000000000000%' or id = ${projectId}`;
  await sql`
    insert into hook_deliveries (id, hook_id, at, event, outcome)
    select 'dlv_' || n || hooks.id, hooks.id, now() - n * interval '1 minute', 'deployment.succeeded', 'recorded'
    from hooks, generate_series(1, 5) n`;
  await sql`
    insert into answers (id, project_id, repository, api, host, secret)
    select id, project_id, 'a/b', 'https://api.github.com', 'api.github.com', '\\x00' from hooks`;
  await sql`
    insert into statuses (id, hook_id, project_id, subject, deployed_at, recorded_at, commit, context, state, description, sent,
      ended_at)
    select 'sts_' || n || id, id, project_id, n::text, now(), now(), n::text, 'x', 'pending', 'x', 'sent', now()
    from hooks, generate_series(1, 5) n`;
}

/** Looks of a hundred hours, and of 90 days, at many URLs, of which none is due to be deleted, and verifications. */
async function insertHours(sql: Sql): Promise<void> {
  await sql`
    insert into scores (project_id, number, at, score, verdict, ruleset)
    select project_id, number, now() - n * interval '1 day', 90, 'ship', '2026.2' from watched_urls, generate_series(1, 4) n`;
  await sql`
  insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
  select number, date_trunc('hour', now()) - hour * interval '1 hour', 12, 0, 0, 600, 60
  from generate_series(1, 100) hour, generate_series(1, ${OTHERS / 100}::int) number`;
  await sql`
  insert into days (number, day, looks, good, first_byte_sum)
  select number, date_trunc('day', now(), 'UTC') - day * interval '24 hours', 288, 288, 600
  from generate_series(0, 89) day, generate_series(1, ${OTHERS / 100}::int) number`;
}

/** A look at each URL, all of them due. */
const insertLooks = (sql: Sql) => sql`
  insert into looks (number, queue, due_at)
  select watched_urls.number, accounts.number, now() - watched_urls.number * interval '1 millisecond'
  from watched_urls join projects on projects.id = project_id join accounts on accounts.id = owner_id
  on conflict do nothing`;

/** Scans of a month, of which some wait and run, and the starts of a day. */
async function insertScans(sql: Sql): Promise<void> {
  await sql`
    insert into scans (id, url, url_hash, exact_url, host, visitor, delete_key_hash, state, started_at, turn_at, lease_until, check_id)
    select lpad(n::text, 22, '0'), '', decode(md5(n::text), 'hex'), case when n <= 60 then '' end, n % 999 || '.example.net',
      case when n <= 60 then n end, '\\x00', case when n <= 50 then 'waiting' when n <= 60 then 'running' else 'done' end,
      now() - n * interval '25 seconds', now() - n * interval '25 seconds', now() + interval '1 hour', 'chk_' || n
    from generate_series(1, ${OTHERS}::int) n`;
  await sql`
    insert into scan_starts (visitor, host, started_at)
    select md5((n % 30000)::text), n % 999 || '.example.net', now() - n * interval '0.8 seconds'
    from generate_series(1, ${OTHERS}::int) n`;
}

/** Checks that are kept, however old: those that deployments came to, and the newest of each watched URL. */
const insertOldChecks = (sql: Sql) => sql`
  insert into checks (id, kind, host, state, started_at, lease_until)
  select 'chk_' || kind || n, kind, n || '.example.net', 'done', now() - n * interval '1 hour', now()
  from generate_series(1, ${OTHERS / 8}::int) n, unnest(string_to_array('deployment cycle', ' ')) kind`;

interface Plan {
  "Node Type": string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  "Relation Name"?: string;
  Plans?: Plan[];
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];

/** The plan of the one query that a function runs, which gets no rows; the query runs only with `analyze`. */
async function planOf(query: (sql: Sql) => Promise<unknown>, options = ""): Promise<Plan> {
  const plans: Plan[] = [];
  const explain: Sql["read"] = async (strings, ...values) => {
    const [first, ...rest] = strings;
    const prefixed = Object.assign([`explain (${options} format json) ${first}`, ...rest], {
      raw: strings.raw,
    });
    const rows = await database.sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(prefixed, ...values);
    plans.push(...rows.map((row) => row["QUERY PLAN"][0].Plan));
    return [];
  };
  const read: Sql["read"] = async (strings, ...values) => {
    await database.begin(async (sql, runScript) => {
      await runScript("set transaction read only");
      await sql(strings, ...values);
    });
    return explain(strings, ...values);
  };
  await query(toSql(explain, read)).catch((error: Error) => {
    if (error.message !== "A statement returned no row.") throw error;
  });
  const [plan, ...others] = plans;
  if (plan === undefined || others.length > 0) throw new Error(`It ran ${plans.length} queries.`);
  return plan;
}

/** The steps of a query that read a table. */
const explain = async (query: (sql: Sql) => Promise<unknown>) =>
  stepsOf(await planOf(query)).filter(
    (step) => step["Relation Name"] !== undefined && step["Node Type"] !== "ModifyTable",
  );

const alertOfReader = () => reader.projectId.replace("prj", "alr");
const self = () => selfOf({ by: "operator", accountId: reader.accountId });
const EVERYTHING = { accountId: null, projectId: null };
const caller = () => callerOfToken(fingerprintOf(reader.token));

const urlOfReader = () => ({
  projectId: reader.projectId,
  id: `url_u${reader.projectId.slice(-13)}000001`,
});

/** The first page of all rows, in an order that no index has. */
const CHOICE = {
  q: "e",
  state: undefined,
  verdict: undefined,
  sort: "address",
  isDescending: true,
  page: 1,
  limit: 36,
};

const listOfProject = (sql: Sql, name: keyof ProjectLists, of?: string) =>
  findProjectList(
    sql,
    caller(),
    { id: reader.projectId, name, language: "en", ...(of !== undefined && { of }) },
    CHOICE,
  );

const CLAIMANT = { place: "paris", places: ["paris", "virginia"] };

/** As a server with eight free places does, of which each goes to another account. */
function claimLooks(sql: Sql): Promise<unknown> {
  const turns = Array.from({ length: 8 }, (_, index) => {
    return { queue: index + 1, mark: "-infinity", limit: 1 };
  });
  const wanted = { turns, claimant: CLAIMANT, verifySeconds: 300, leaseMs: LEASES.claimMs };
  const begin: Database["begin"] = (work) => work(sql, async () => {});
  return claimDueLooks({ ...database, begin }, wanted, () => ({ taken: [], putOff: [] }));
}

/** The tables that each query reads, once for each step that does. */
const TABLES = `
authentication: accounts tokens
projects: accounts looks memberships projects projects tokens usage watched_urls
incidents: incidents memberships projects tokens
incidents of a project by its name: incidents memberships projects projects tokens
incidents of all projects: incidents memberships projects projects tokens
last ship: checks deployments deployments memberships projects scores tokens
last ship of a project by its name: checks deployments deployments memberships projects projects scores tokens
a page of the list of projects: deployments incidents looks memberships memberships projects projects projects scores tokens watched_urls
the page of a project: alerts alerts checks days deployments deployments hooks hooks incidents incidents incidents incidents incidents incidents incidents incidents looks looks looks looks looks looks looks maintenance maintenance maintenance maintenance maintenance memberships projects scores scores scores tokens watched_urls watched_urls watched_urls watched_urls watched_urls
the page of a deployment: checks checks deployments deployments deployments incidents incidents memberships projects scores tokens
the page of an incident: accounts alerts deployments hours incidents looks memberships messages projects tokens watched_urls
a page of open incidents: incidents incidents memberships projects projects tokens
the history of a project: checks days deployments incidents incidents looks looks looks looks maintenance maintenance maintenance projects scores scores scores watched_urls
the urls in the settings of a project: checks incidents looks memberships projects status_pages tokens watched_urls watched_urls watched_urls
the people in the settings of a project: accounts accounts accounts hand_overs invitations memberships memberships projects status_pages tokens watched_urls watched_urls
the hooks in the settings of a project: hook_deliveries hooks memberships projects status_pages tokens watched_urls watched_urls
the alerts in the settings of a project: alerts memberships projects status_pages tokens watched_urls watched_urls
what an account just did: acts tokens
what an account may undo: acts
noting what an account does: acts acts
whose e-mails begin and end at an address: projects recipients
whether somebody may be told: recipients
whether an address is of a project's people: accounts memberships projects
alerts that wait for whoever joins: alerts recipients
the hook that something was sent to: answers hooks projects
the deployments of a project, for the operator: deployments scores
its previews: deployments scores
the check of a preview: accounts projects usage
whether a ship was announced: deployments
deleting previews: checks deployments deployments scores
the URLs of a project, for the operator: incidents looks watched_urls
the hooks of a project: answers hooks
the page of a hook: answers hook_deliveries hooks hooks projects statuses tokens
the statuses of a hook: statuses
claiming answers: answers answers hooks projects projects projects
putting off answers of busy hosts and owners: answers answers projects projects projects statuses
whether deployments are answered: answers statuses
the comment on a pull request: statuses statuses
the ship before a deployment: checks deployments deployments scores
deleting statuses: statuses statuses
what a hook received: hook_deliveries
noting what a hook received: hook_deliveries hook_deliveries hooks
finding a deleted project: projects
what somebody is asked to accept: accounts accounts accounts accounts hand_overs invitations memberships projects projects tokens
somebody who is to be invited: accounts accounts accounts invitations invitations memberships memberships projects
what somebody is to a project: accounts accounts invitations invitations memberships memberships projects
badge: deployments projects scores watched_urls
badge of a scan: checks scans
a page of accounts: accounts passkeys second_factors tokens usage
what an account signs in with: passkeys second_factors
the password of an account: accounts passkeys second_factors
recovery codes: recovery_codes
a page of projects: accounts accounts invitations memberships projects
checks of an account: checks tokens usage
the watched URLs of a project: checks incidents looks memberships projects tokens watched_urls
the deployments of a project: checks deployments memberships projects scores tokens
the previews of a project: checks deployments memberships projects scores tokens
the incidents of a project: incidents memberships projects tokens
the deliveries of a hook: hook_deliveries hooks memberships projects tokens
the messages of an alert: alerts memberships messages projects tokens
a watched URL: checks days incidents incidents incidents looks looks looks looks looks maintenance maintenance maintenance maintenance memberships projects scores scores tokens watched_urls
whether a project has news: deployments incidents looks memberships projects tokens watched_urls watched_urls
how far a check is: checks memberships projects tokens
a check: checks checks memberships projects tokens
two checks: checks memberships projects tokens
settings of an account: accounts projects sessions tokens
forgetting clients: events
removing deleted accounts: accounts
API settings: tokens tokens tokens usage
older revoked tokens: tokens tokens tokens tokens usage
what happened to an account: events memberships projects tokens
who is signed in: accounts incidents memberships passkeys projects projects second_factors sessions
whose session has just ended: ended_sessions sessions
what an account is told of: accounts events passkeys tokens
telling accounts: accounts events events passkeys tokens
noting a network: accounts networks networks networks
the audit: accounts accounts events
the audit of an account: accounts accounts events events
the audit of a project: accounts accounts events
claiming looks: incidents looks projects watched_urls
queues of looks that wait: looks looks
what fails from a place alone: watched_urls
URLs that an account watches: projects watched_urls
deleting events: events events
deleting hours: hours hours
deleting days: days days
deleting messages: messages messages
deleting recipients: alerts recipients recipients
the incidents of a project, for the operator: accounts incidents incidents
the maintenance of a project: maintenance
whether maintenance has ended: maintenance
a status page: days deployments incidents incidents incidents looks looks looks looks looks maintenance maintenance maintenance maintenance maintenance maintenance projects scores scores scores status_pages watched_urls watched_urls watched_urls watched_urls watched_urls
the alerts of a project: alerts
the page of an alert: alerts messages projects tokens
the deliveries of an alert: messages
claiming alerts: alerts alerts projects projects projects
putting off alerts of busy hosts and owners: alerts alerts messages projects projects projects
claiming an alert: alerts alerts projects
announcing an incident: alerts alerts incidents projects
announcing a ship: alerts alerts checks deployments projects
deleting checks of old ships: checks checks
emptying answers: checks checks
deleting checks: checks checks
scans of the same pages: scans
how far a scan is: scans scans
a scan: checks scans scans
deleting scans: scans scans
deleting starts: scan_starts scan_starts
hosts: checks hosts hosts hosts
`;

const QUERIES: Record<string, (sql: Sql) => Promise<unknown>> = {
  authentication: (sql) => findCaller(sql, caller()),
  projects: (sql) => listProjects(sql, caller()),
  incidents: (sql) => listIncidents(sql, caller(), { id: reader.projectId }, "fr"),
  "incidents of a project by its name": (sql) =>
    listIncidents(sql, caller(), { name: "Site" }, "fr"),
  "incidents of all projects": (sql) => listAllIncidents(sql, caller(), "fr"),
  "last ship": (sql) => findLastShip(sql, caller(), { id: reader.projectId }),
  "last ship of a project by its name": (sql) => findLastShip(sql, caller(), { name: "Site" }),
  "a page of the list of projects": (sql) => listProjectsOfPage(sql, caller(), reader.projectId),
  "the page of a project": (sql) => findProjectPage(sql, caller(), reader.projectId, "en"),
  "the page of a deployment": (sql) => findDeploymentPage(sql, caller(), newId("dep"), "en"),
  "the page of an incident": (sql) => findIncidentPage(sql, caller(), newId("inc"), "en"),
  "a page of open incidents": (sql) => listOpenIncidents(sql, caller(), "en", newId("inc")),
  "the history of a project": (sql) => findHistory(sql, reader.projectId, 90, "en"),
  ...Object.fromEntries(
    (["urls", "people", "hooks", "alerts"] as const).map((of) => [
      `the ${of} in the settings of a project`,
      (sql: Sql) => findProjectSettings(sql, caller(), reader.projectId, of, CHOICE),
    ]),
  ),
  "what an account just did": (sql) => findAct(sql, caller(), reader.projectId, newId("act")),
  "what an account may undo": (sql) => lockAct(sql, { ...reader, id: newId("act") }),
  "noting what an account does": (sql) =>
    insertAct(
      sql,
      {
        by: "session",
        accountId: reader.accountId,
        sessionId: "",
        address: "",
        actId: newId("act"),
      },
      { kind: "badge.on", projectId: reader.projectId },
    ),
  "whose e-mails begin and end at an address": (sql) => findRecipient(sql, recipient()),
  "whether somebody may be told": (sql) =>
    findConsent(sql, { ...reader, id: recipient(), email: "bob@example.com" }),
  "whether an address is of a project's people": (sql) =>
    isAddressOfPeople(sql, reader.projectId, "bob@example.com"),
  "alerts that wait for whoever joins": (sql) =>
    beginWaiting(sql, reader.projectId, [Buffer.alloc(32)]),
  "the hook that something was sent to": (sql) => findOpenHook(sql, hook()),
  "the deployments of a project, for the operator": (sql) =>
    listDeployments(sql, reader.projectId, false),
  "its previews": (sql) => listDeployments(sql, reader.projectId, true),
  "the check of a preview": (sql) => findPreviewOrder(sql, reader.projectId, CHECKS_A_MONTH),
  "whether a ship was announced": (sql) =>
    isShipAnnounced(sql, reader.projectId, "2026-01-01T00:00:00Z"),
  "deleting previews": (sql) => deleteOldPreviews(sql, ""),
  "the URLs of a project, for the operator": (sql) => listUrlStates(sql, reader.projectId),
  "the hooks of a project": (sql) => listHooks(sql, reader.projectId),
  "the page of a hook": (sql) => findHookOfPage(sql, caller(), reader.projectId, hook()),
  "the statuses of a hook": (sql) => listStatuses(sql, hook()),
  "claiming answers": (sql) => claimTargets(sql, ANSWERS, places(), LEASES.claimMs),
  "putting off answers of busy hosts and owners": (sql) => putOffTargets(sql, ANSWERS, places()),
  "whether deployments are answered": (sql) => findAnswering(sql, [newId("dep")]),
  "the comment on a pull request": (sql) => findComment(sql, { id: newId("sts") }, 12),
  "the ship before a deployment": (sql) => findShipBefore(sql, [newId("dep")]),
  "deleting statuses": (sql) => deleteOldStatuses(sql, ""),
  "what a hook received": (sql) => listReceived(sql, hook()),
  "noting what a hook received": (sql) =>
    insertDeliveries(sql, hook(), [{ event: "x", outcome: "ignored: x", eventKey: "x" }]),
  "finding a deleted project": (sql) => removeDeletedProjects(sql, ""),
  "what somebody is asked to accept": (sql) => listOffers(sql, caller()),
  "somebody who is to be invited": (sql) =>
    findInvitee(sql, reader.projectId, "bob@example.com").catch(() => {}),
  "what somebody is to a project": (sql) => findActorsProject(sql, self(), reader.projectId),
  badge: (sql) => findBadge(sql, newUnlistedId()),
  "badge of a scan": (sql) => findScanResult(sql, newUnlistedId()),
  "a page of accounts": (sql) => listAccounts(sql, { email: "m" }),
  "what an account signs in with": (sql) => findFactors(sql, reader.accountId).catch(() => {}),
  "the password of an account": (sql) => findPasswordOf(sql, reader.accountId),
  "recovery codes": (sql) => countRecoveryCodes(sql, reader.accountId),
  "a page of projects": (sql) => listAllProjects(sql, { name: "Site", id: reader.projectId }),
  "checks of an account": (sql) => listChecks(sql, caller(), CHOICE),
  "the watched URLs of a project": (sql) => listOfProject(sql, "urls"),
  "the deployments of a project": (sql) => listOfProject(sql, "deployments"),
  "the previews of a project": (sql) => listOfProject(sql, "previews"),
  "the incidents of a project": (sql) => listOfProject(sql, "incidents"),
  "the deliveries of a hook": (sql) => listOfProject(sql, "received", hook()),
  "the messages of an alert": (sql) => listOfProject(sql, "messages", alertOfReader()),
  "a watched URL": (sql) => findUrlPage(sql, caller(), urlOfReader(), "en"),
  "whether a project has news": (sql) => findProjectVersion(sql, caller(), reader.projectId),
  "how far a check is": (sql) => findCheckProgress(sql, caller(), `chk_${"7".padStart(20, "0")}`),
  "a check": (sql) => findStoredCheck(sql, caller(), `chk_${"7".padStart(20, "0")}`),
  "two checks": (sql) => findReports(sql, caller(), [newId("chk"), newId("chk")]),
  "settings of an account": (sql) => findAccountSettings(sql, caller()),
  "forgetting clients": (sql) => forgetClients(sql, reader.accountId),
  "removing deleted accounts": (sql) => removeDeletedAccounts(sql, ""),
  "API settings": (sql) => findApiSettings(sql, caller()),
  "older revoked tokens": (sql) => findApiSettings(sql, caller(), "tok_r0000000000000000050"),
  "what happened to an account": (sql) => findEvents(sql, reader.accountId),
  "who is signed in": (sql) => findSignedIn(sql, fingerprintOf(reader.accountId)),
  "whose session has just ended": (sql) => hasJustEnded(sql, fingerprintOf(reader.accountId)),
  "what an account is told of": (sql) => findNotices(sql, reader.accountId),
  "telling accounts": (sql) => takeUntoldNotices(sql),
  "noting a network": (sql) => noteNetwork(sql, reader.accountId, "192.0.2"),
  "the audit": (sql) => listEvents(sql, EVERYTHING, null),
  "the audit of an account": (sql) =>
    listEvents(sql, { ...EVERYTHING, accountId: reader.accountId }, { id: "90000" }),
  "the audit of a project": (sql) =>
    listEvents(sql, { ...EVERYTHING, projectId: reader.projectId }, { id: "90000" }),
  "claiming looks": (sql) => claimLooks(sql),
  "queues of looks that wait": (sql) => listWaiting(sql, undefined, CLAIMANT),
  "what fails from a place alone": (sql) => countFailingFrom(sql, "paris", [1, 2]),
  "URLs that an account watches": (sql) => countWatchedUrls(sql, reader.accountId),
  "deleting events": (sql) => deleteOldEvents(sql, ""),
  "deleting hours": (sql) => deleteOldHours(sql, ""),
  "deleting days": (sql) => deleteOldDays(sql, ""),
  "deleting messages": (sql) => deleteOldMessages(sql, ""),
  "deleting recipients": (sql) => deleteUnusedRecipients(sql, ""),
  "the incidents of a project, for the operator": (sql) =>
    listIncidentsOfProject(sql, reader.projectId, true),
  "the maintenance of a project": (sql) => listWindows(sql, reader.projectId),
  "whether maintenance has ended": (sql) => hasEnded(sql),
  "a status page": (sql) => findStatusPage(sql, "page-500"),
  "the alerts of a project": (sql) => listAlerts(sql, reader.projectId),
  "the page of an alert": (sql) =>
    findAlertOfPage(sql, caller(), reader.projectId, alertOfReader()),
  "the deliveries of an alert": (sql) => listDeliveries(sql, alertOfReader()),
  "claiming alerts": (sql) => claimTargets(sql, ALERTS, places(), LEASES.claimMs),
  "putting off alerts of busy hosts and owners": (sql) => putOffTargets(sql, ALERTS, places()),
  "claiming an alert": (sql) => claimAlert(sql, alertOfReader(), LEASES.claimMs),
  "announcing an incident": (sql) => announceIncident(sql, "incident.opened", newId("inc")),
  "announcing a ship": (sql) =>
    announceShip(sql, newId("dep"), { previousScore: 1, changed: [], ids: [], isDrop: true }),
  "deleting checks of old ships": (sql) => deleteOldShipChecks(sql, ""),
  "emptying answers": (sql) => emptyOldAnswers(sql, ""),
  "deleting checks": (sql) => deleteOldChecks(sql, ""),
  "scans of the same pages": (sql) =>
    findReusableScans(sql, ["00".repeat(32), "01".repeat(32)], SCAN_BOUNDS),
  "how far a scan is": (sql) => findProgress(sql, "20".padStart(22, "0")),
  "a scan": (sql) => findStoredScan(sql, "20".padStart(22, "0"), "fr"),
  "deleting scans": (sql) => deleteOldScans(sql, ""),
  "deleting starts": (sql) => deleteOldStarts(sql, ""),
  hosts: (sql) => deleteUnusedHosts(sql, ""),
};

const READS = TABLES.trim()
  .split("\n")
  .map((line) => line.split(": ") as [query: string, tables: string]);

test("each query has its tables", () => {
  expect(READS.map(([name]) => name)).toEqual(Object.keys(QUERIES));
});

test.each(READS)("%s: among 100,000 others every step takes an index", async (name, tables) => {
  const steps = await explain(QUERIES[name]!);
  expect(steps.map((step) => step["Relation Name"] ?? "").toSorted()).toEqual(tables.split(" "));
  const unindexed = steps.filter((step) => !/Index|Bitmap|Tid/.test(step["Node Type"]));
  expect(unindexed).toEqual([]);
});

test.each<[string, Step]>([
  ["emptying answers", emptyOldAnswers],
  ["deleting checks", deleteOldChecks],
  ["deleting scans", deleteOldScans],
  ["deleting starts", deleteOldStarts],
  ["deleting events", deleteOldEvents],
  ["deleting hours", deleteOldHours],
  ["deleting days", deleteOldDays],
  ["deleting messages", deleteOldMessages],
  ["deleting statuses", deleteOldStatuses],
  ["deleting recipients", deleteUnusedRecipients],
  ["forgetting what has expired", forgetExpired],
  ["removing deleted projects", removeDeletedProjects],
])("%s: with nothing due it reads a few blocks, whatever is kept", async (_name, step) => {
  const blocks = await countBlocks((sql) => step(sql, ""));
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(20);
});

/** The blocks that a query reads, what the functions in it read included. */
async function countBlocks(query: (sql: Sql) => Promise<unknown>): Promise<number> {
  const plan = await planOf(query, "analyze, buffers,");
  return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
}

test("the page of a project reads few blocks, and four for each of its days, whatever happened in the project", async () => {
  const query = (sql: Sql) => findProjectPage(sql, caller(), reader.projectId, "en");
  const blocks = await countBlocks(query);
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(400 + 4 * 30);
});

test.each<[string, query: (sql: Sql) => Promise<unknown>]>([
  ["the list of projects", (sql) => listProjectsOfPage(sql, caller(), "")],
  ["whether a project has news", (sql) => findProjectVersion(sql, caller(), reader.projectId)],
])("%s reads few blocks, whatever happened in the project", async (_name, query) => {
  const blocks = await countBlocks(query);
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(400);
});

const BOUNDS = { ...SCAN_BOUNDS, atOnce: 16 };
const CONDITIONS = { isAgain: false, isProven: false, canProve: true };

function startScan(sql: Sql, visitor: string, host: string): Promise<unknown> {
  const hash = Buffer.from("none");
  const id = newUnlistedId();
  const recent = [visitor, "yesterday"];
  const scan = { id, maskedUrl: "", url: "", urlHash: hash, host, deleteKeyHash: hash };
  return insertScan(sql, { ...scan, visitor: { today: visitor, recent } }, CONDITIONS, BOUNDS);
}

test.each<[string, query: (sql: Sql) => Promise<unknown>]>([
  ["starting a scan", (sql) => startScan(sql, "nobody", "nowhere.example.net")],
  ["starting a scan of a busy host", (sql) => startScan(sql, "nobody", "7.example.net")],
  ["claiming a scan", (sql) => claimScan(sql, 16, { fr: "", en: "" }, LEASES.claimMs)],
  ["claiming no scan", (sql) => claimScan(sql, 1, { fr: "", en: "" }, LEASES.claimMs)],
  [
    "finding the last ship, and repeated events",
    (sql) =>
      findKnownShips(sql, reader.projectId, {
        eventKeys: [newId("dlv"), newId("dlv")],
        times: [Date.now(), null],
      }),
  ],
  [
    "recording a ship",
    (sql) =>
      insertShips(sql, reader.projectId, "https://example.com/", [
        {
          id: newId("dep"),
          kind: "announced",
          url: null,
          environment: "production",
          commit: null,
          ref: null,
          commitUrl: null,
          refUrl: null,
          deployedMs: 0,
          recordedMs: 0,
          providerId: null,
          eventKey: newId("dlv"),
        },
      ]),
  ],
  ["projects whose deployments wait", (sql) => listWaitingProjects(sql, "")],
  [
    "claiming deployments",
    (sql) => claimDueDeployments(sql, reader.projectId, { fr: "", en: "" }, LEASES.claimMs),
  ],
  ["claiming looks", claimLooks],
  ["storing the score of no deployment", (sql) => storeDeploymentScores(sql, newId("chk"))],
])("%s reads a few blocks, however many there were", async (_name, query) => {
  const ask = async (sql: Sql) => void (await query(sql).catch(() => {}));
  // A function's statements get the plan that they keep after some calls.
  for (let call = 0; call < 6; call++) await ask(database.sql);
  expect(await countBlocks(ask)).toBeLessThan(200);
});

test.each<[string, (sql: Sql) => Promise<unknown>]>([
  [
    "incidents of a project by its name",
    (sql) => listIncidents(sql, caller(), { name: "Site" }, "fr"),
  ],
  ["incidents of all projects", (sql) => listAllIncidents(sql, caller(), "fr")],
  ["last ship by its name", (sql) => findLastShip(sql, caller(), { name: "Site" })],
])("%s: 100,000 projects of others with this name cost no block", async (_name, query) => {
  const plan = await planOf(query, "analyze, buffers,");
  const blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  expect(blocks).toBeGreaterThan(0);
  expect(blocks).toBeLessThan(60);
});
