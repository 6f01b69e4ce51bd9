import * as z from "zod";
import type { HookActor, Manager } from "../db/accounts/actors.ts";
import { readBucket, takeFromBucket, type Bound, type Left } from "../db/checks/buckets.ts";
import { insertDeployment } from "../db/deployments/deployments.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import type { KnownShips, NewShip, SaidShip } from "../db/deployments/ships.ts";
import { findKnownShips, insertShips, nameShip } from "../db/deployments/ships.ts";
import type { Deps } from "../deps.ts";
import type { InputFault } from "../base/errors.ts";
import { oneLine } from "../base/syntax/one-line.ts";
import { findUrl } from "../base/syntax/url.ts";
import { insertStatuses, type NewStatus } from "../db/deployments/statuses.ts";
import type { Sql } from "../db/driver/sql.ts";
import { changeProject, requireRight } from "./rights.ts";
import { statusesOf, type Answering } from "./statuses.ts";
import { requireVerifiableOfProject } from "./urls.ts";

export const MAX_LABEL_LENGTH = 200;

/** The environment of a deployment, as one word: `production`, `staging`. */
const Environment = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, { error: "environment_invalid" satisfies InputFault });

/** A commit or ref, as it is shown; null where none is given. */
const Label = z
  .string()
  .trim()
  .regex(new RegExp(`^\\P{Cc}{1,${MAX_LABEL_LENGTH}}$`, "u"), {
    error: "label_invalid" satisfies InputFault,
  })
  .nullable()
  .default(null);

/** What a client says about a deployment when it records it. */
export const NewDeployment = z.object({
  projectId: z.string(),
  url: z.string(),
  environment: Environment,
  commit: Label,
  ref: Label,
});
export type NewDeployment = z.infer<typeof NewDeployment>;

/** Records a deployment and queues its verification. Throws `project_not_found`, `owner_only`, `url_refused`. */
export async function recordDeployment(
  deps: Deps,
  actor: Manager,
  said: NewDeployment,
): Promise<NewDeployment & { id: string }> {
  await requireVerifiableOfProject(deps, actor, said.projectId, said.url);
  const deployment = { id: newId("dep"), ...said };
  const { id, projectId } = deployment;
  await deps.database.begin(async (sql) => {
    requireRight(await insertDeployment(sql, actor, deployment), "change", { projectId });
    const details = { deploymentId: id };
    await insertEvent(sql, actor, { action: "deployment.recorded", projectId, details });
  });
  return deployment;
}

/** A deployment as its host tells a hook of it: texts as they came, times as they were read. */
export interface ReportedDeployment {
  environment: string;
  commit: string | null;
  ref: string | null;
  /** Where the host shows them, as it says; null where it does not. */
  commitUrl: string | null;
  refUrl: string | null;
  /** By the host's clock; null where it says none. One in the future, or before 1970, counts as the arrival. */
  deployedAt: Date | null;
  /** The host's own id of the deployment, by which several events of it are known as one. */
  providerId: string | null;
  /** The names by which the host knows where the commit is; none where it does not say. */
  repositories: readonly string[];
  /** Why it counts for nothing, of a deployment that failed; null of one that did not. */
  failed: string | null;
  /** Names the event, in plain characters: the same one again within 24 hours is a repeat. */
  eventKey: string;
}

/** The id of what was recorded, or why nothing was; of one too many, when it may be reported again. */
export type ReportOutcome = { id: string } | { ignored: string } | { retryAfterSeconds: number };

/** How many ships of a project hooks may report at once, and as many again within an hour. */
export const SHIPS_AN_HOUR = 300;
const SHIPS: Bound = { name: "ships of a project", capacity: SHIPS_AN_HOUR, seconds: 3600 };

/** Less than the 10 s after which GitHub gives an event up. */
const MAX_RECORD_WAIT_MS = 8000;
const MAX_ENVIRONMENT_LENGTH = 50;
/** The end of the year 9999. */
const LATEST_MS = 253_402_300_800_000;

const labelOf = (text: string | null) => (text && oneLine(text, MAX_LABEL_LENGTH)) || null;

/** An address that pages may link to, without a user name or a password; null for any other. */
function linkOf(text: string | null): string | null {
  const url = text === null ? undefined : findUrl(text.trim());
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

function readTime(time: Date | null): number | null {
  const ms = time?.getTime() ?? NaN;
  return ms > 0 && ms < LATEST_MS ? ms : null;
}

const isSame = (said: SaidShip, last: SaidShip) =>
  said.providerId === null
    ? said.deployedMs === last.deployedMs && said.commit === last.commit && said.ref === last.ref
    : said.providerId === last.providerId;

/** Why a report is of no ship, whatever was recorded. */
function findIgnored({ environment, failed }: ReportedDeployment): { ignored: string } | undefined {
  if (failed !== null) return { ignored: failed };
  const name = oneLine(environment, MAX_ENVIRONMENT_LENGTH);
  return name.toLowerCase() === "production" ? undefined : { ignored: `environment ${name}` };
}

/**
 * Decides of each report in turn, as if those before it were recorded already; as many as there are tokens left. What is recorded together arrived a
 * microsecond after one another, so that each has its place among the ships.
 */
function decide(
  reports: readonly ReportedDeployment[],
  { nowMs, last, eventKeys, names }: KnownShips,
  left: Left,
): { outcomes: ReportOutcome[]; ships: NewShip[] } {
  const seen = new Set(eventKeys);
  const named = new Set(names);
  const ships: NewShip[] = [];
  let newest = last;
  const outcomes = reports.map((report, place): ReportOutcome => {
    const ignored = findIgnored(report);
    if (ignored !== undefined) return ignored;
    const { eventKey } = report;
    const said = {
      deployedMs: readTime(report.deployedAt),
      providerId: labelOf(report.providerId),
      commit: labelOf(report.commit),
      ref: labelOf(report.ref),
    };
    if (seen.has(eventKey)) return { ignored: "repeated" };
    if (newest !== null && isSame(said, newest)) return { ignored: "already the last ship" };
    // The id of a delivery is not signed by every host: who saw one could send it again under others.
    const name = nameShip(said);
    if (name !== undefined && named.has(name)) return { ignored: "repeated" };
    if (ships.length >= left.tokens) return { retryAfterSeconds: left.waitSeconds };
    const recordedMs = nowMs + place / 1000;
    const deployedMs = Math.min(said.deployedMs ?? Infinity, recordedMs);
    const links = { commitUrl: linkOf(report.commitUrl), refUrl: linkOf(report.refUrl) };
    const ship = { ...said, ...links, id: newId("dep"), deployedMs, recordedMs, eventKey };
    seen.add(eventKey);
    if (name !== undefined) named.add(name);
    ships.push(ship);
    if (newest === null || deployedMs >= newest.deployedMs) newest = ship;
    return { id: ship.id };
  });
  return { outcomes, ships };
}

/** Queues what the commits are told of it; of what was not recorded as much as there is room for ships. */
async function answer(
  sql: Sql,
  projectId: string,
  { id }: Answering,
  statuses: readonly NewStatus[],
): Promise<void> {
  const bucket = { bound: SHIPS, subject: projectId };
  const { tokens } = await readBucket(sql, bucket);
  const others = statuses.filter(({ deploymentId }) => deploymentId === null).slice(0, tokens);
  if (others.length > 0) await takeFromBucket(sql, bucket, others.length);
  const queued = statuses.filter((one) => one.deploymentId !== null || others.includes(one));
  if (queued.length > 0) await insertStatuses(sql, id, projectId, queued);
}

/**
 * Records production deployments of the hook's project, in the order in which they were reported, queues verifications of
 * the project's own address, and what the commits are told where the hook answers; all at the cost of one. Nothing but production is recorded, no event twice,
 * no deployment that is the last ship already, and no more than `SHIPS_AN_HOUR`. Throws `project_not_found`, and `busy` where too many are being
 * recorded.
 */
export async function recordShips(
  deps: Deps,
  hook: HookActor,
  reports: readonly ReportedDeployment[],
  answering: Answering | null = null,
): Promise<ReportOutcome[]> {
  const ignored = reports.flatMap((report) => findIgnored(report) ?? []);
  if (answering === null && ignored.length === reports.length) return ignored;
  const { projectId } = hook;
  const release = await deps.recordings.acquire(hook.accountId, MAX_RECORD_WAIT_MS);
  try {
    return await changeProject(deps, hook, "change", projectId, async (sql, { url }) => {
      const known = await findKnownShips(sql, projectId, {
        eventKeys: reports.map(({ eventKey }) => eventKey),
        times: reports.map(({ deployedAt }) => readTime(deployedAt)),
      });
      const bucket = { bound: SHIPS, subject: projectId };
      const { outcomes, ships } = decide(reports, known, await readBucket(sql, bucket));
      if (ships.length > 0) {
        await takeFromBucket(sql, bucket, ships.length);
        await insertShips(sql, projectId, url, ships);
        const events = ships.map(({ id }) => {
          const details = { deploymentId: id };
          return { action: "deployment.recorded" as const, projectId, details };
        });
        await insertEvent(sql, hook, ...events);
      }
      if (answering) {
        const statuses = statusesOf(answering, reports, outcomes, ships);
        await answer(sql, projectId, answering, statuses);
      }
      return outcomes;
    });
  } finally {
    release();
  }
}
