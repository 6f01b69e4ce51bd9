import {
  type NewShip,
  type AnnouncedShip,
  type KnownShips,
  findKnownShips,
  insertShips,
  nameShip,
  insertDeployment,
} from "../db/deployments/deployments.ts";
import { findUrlOfHosts } from "../base/syntax/host-pattern.ts";
import { oneLine } from "../base/syntax/text.ts";
import { findUrl } from "../base/syntax/url.ts";
import * as z from "zod";
import type { HookActor, Manager } from "../db/accounts/actors.ts";
import { readBucket, takeFromBucket, type Bound, type BucketLevel } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import { lockProject } from "../db/projects/projects.ts";
import type { Deps } from "../deps.ts";
import { fault } from "../base/input-faults.ts";
import { insertStatuses, type NewStatus } from "../db/deployments/commit-statuses.ts";
import type { Sql } from "../db/driver/sql.ts";
import { changeProject, requireRight } from "./rights.ts";
import { statusesOf, type ReportingTarget } from "./commit-statuses.ts";
import { requireVerifiableOfProject } from "./urls.ts";

const MAX_LABEL_LENGTH = 200;
const MAX_ENVIRONMENT_LENGTH = 50;
/** The end of the year 9999. */
const LATEST_MS = 253_402_300_800_000;

/** A text as it is shown of a deployment; null for none. */
const labelOf = (text: string | null) => (text && oneLine(text, MAX_LABEL_LENGTH)) || null;

/** An address that pages may link to, without a user name or a password; null for any other. */
function linkOf(text: string | null): string | null {
  const url = text === null ? undefined : findUrl(text.trim());
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

/** Milliseconds since 1970; null for a time that is none, or beyond all years. */
function readTime(time: Date | null): number | null {
  const ms = time?.getTime() ?? NaN;
  return ms > 0 && ms < LATEST_MS ? ms : null;
}

/** Whether a host tells of the same ship again. */
const isSame = (said: AnnouncedShip, last: AnnouncedShip) =>
  said.providerId === null
    ? said.deployedMs === last.deployedMs && said.commit === last.commit && said.ref === last.ref
    : said.providerId === last.providerId;

type Target = Pick<NewShip, "kind" | "url" | "environment">;

/** What a report is of: production, or a preview whose host the owner named; else why it counts for nothing. */
function findTarget(
  { environment, url, environmentLabel, failed }: ReportedDeployment,
  previewHosts: readonly string[],
): Target | { ignored: string } {
  if (failed !== null) return { ignored: failed };
  const name = oneLine(environment, MAX_ENVIRONMENT_LENGTH);
  if (name.toLowerCase() === "production")
    return { kind: "announced", url: null, environment: "production" };
  const found = name === "" ? undefined : findUrlOfHosts(url ?? "", previewHosts);
  if (found === undefined) return { ignored: environmentLabel ?? `environment ${name}` };
  return { kind: "preview", url: found, environment: oneLine(environment, MAX_LABEL_LENGTH) };
}

/** The environment of a deployment, as one word: `production`, `staging`. */
const Environment = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, fault("environment_invalid"));

/** A commit or ref, as it is shown; null where none is given. */
const Label = z
  .string()
  .trim()
  .regex(new RegExp(`^\\P{Cc}{1,${MAX_LABEL_LENGTH}}$`, "u"), fault("label_invalid"))
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

/** Records a deployment and queues its verification. Throws `project_not_found`, `owner_only`, `url_refused`, `too_often`. */
export async function recordDeployment(
  deps: Deps,
  actor: Manager,
  said: NewDeployment,
): Promise<NewDeployment & { id: string }> {
  await requireVerifiableOfProject(deps, actor, said.projectId, said.url);
  const deployment = { id: newId("dep"), ...said };
  const { id, projectId } = deployment;
  await deps.database.begin(async (sql) => {
    await lockProject(sql, projectId);
    requireRight(await insertDeployment(sql, actor, deployment), "change", { projectId });
    const details = { deploymentId: id };
    await insertEvent(sql, actor, { action: "deployment.recorded", projectId, details });
  });
  return deployment;
}

/** A deployment as its host tells a hook of it: texts as they came, times as they were read. */
export interface ReportedDeployment {
  environment: string;
  /** Its environment in the host's own words, such as `target preview`; by default `environment` and its name. */
  environmentLabel?: string;
  /** Where it stands, which only a preview needs; null where the host does not say. */
  url: string | null;
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

/** The id of what was recorded, or why nothing was; of one beyond the limit, when it may be reported again. */
export type ReportOutcome =
  | { id: string }
  | { ignored: string }
  | { limit: number; retryAfterSeconds: number };

/** How many ships of a project hooks may report at once, and as many again within an hour. */
export const SHIPS_AN_HOUR = 300;
export const PREVIEWS_AN_HOUR = 60;

type ReportedKind = NewShip["kind"];

const BOUNDS: Readonly<Record<ReportedKind, Bound>> = {
  announced: { name: "ships of a project", capacity: SHIPS_AN_HOUR, seconds: 3600 },
  preview: { name: "previews of a project", capacity: PREVIEWS_AN_HOUR, seconds: 3600 },
};

/** Less than the 10 s after which GitHub gives an event up. */
const MAX_RECORD_WAIT_MS = 8000;

/**
 * Processes the reports in order, up to the remaining rate limit. Reports that are recorded together get arrival times
 * a microsecond apart, which give each its position among the ships.
 */
function processReports(
  reports: readonly ReportedDeployment[],
  targets: readonly (Target | { ignored: string })[],
  { nowMs, last, eventKeys, names }: KnownShips,
  left: Readonly<Record<ReportedKind, BucketLevel>>,
): { outcomes: ReportOutcome[]; ships: NewShip[] } {
  const seen = new Set(eventKeys);
  const named = new Set(names);
  const ships: NewShip[] = [];
  let newest = last;
  const outcomes = reports.map((report, index): ReportOutcome => {
    const target = targets[index] ?? { ignored: "" };
    if ("ignored" in target) return target;
    const { kind } = target;
    const { eventKey } = report;
    const said = {
      deployedMs: readTime(report.deployedAt),
      providerId: labelOf(report.providerId),
      commit: labelOf(report.commit),
      ref: labelOf(report.ref),
    };
    if (seen.has(eventKey)) return { ignored: "repeated" };
    if (kind === "announced" && newest !== null && isSame(said, newest))
      return { ignored: "already the last ship" };
    // The id of a delivery is not signed by every host: who saw one could send it again under others.
    const name = nameShip(said);
    if (name !== undefined && named.has(name)) return { ignored: "repeated" };
    const { tokens, waitSeconds } = left[kind];
    if (ships.filter((ship) => ship.kind === kind).length >= tokens)
      return { limit: BOUNDS[kind].capacity, retryAfterSeconds: waitSeconds };
    const recordedMs = nowMs + index / 1000;
    const deployedMs = Math.min(said.deployedMs ?? Infinity, recordedMs);
    const links = { commitUrl: linkOf(report.commitUrl), refUrl: linkOf(report.refUrl) };
    const ship = {
      ...said,
      ...links,
      ...target,
      id: newId("dep"),
      deployedMs,
      recordedMs,
      eventKey,
    };
    seen.add(eventKey);
    if (name !== undefined) named.add(name);
    ships.push(ship);
    if (kind === "announced" && deployedMs >= (newest?.deployedMs ?? -Infinity)) newest = ship;
    return { id: ship.id };
  });
  return { outcomes, ships };
}

const REPORTED: Bound = {
  ...BOUNDS.announced,
  name: "statuses of a project for what is not recorded",
};

/** Queues what the commits are told of it; of what was not recorded as much as there may be ships. */
async function queueStatuses(
  sql: Sql,
  projectId: string,
  { id }: ReportingTarget,
  statuses: readonly NewStatus[],
): Promise<void> {
  const bucket = { bound: REPORTED, subject: projectId };
  const { tokens } = await readBucket(sql, bucket);
  const others = statuses.filter(({ deploymentId }) => deploymentId === null).slice(0, tokens);
  if (others.length > 0) await takeFromBucket(sql, bucket, others.length);
  const queued = statuses.filter((one) => one.deploymentId !== null || others.includes(one));
  if (queued.length > 0) await insertStatuses(sql, id, projectId, queued);
}

/**
 * Records production deployments of the hook's project, and previews on hosts that its owner named, in the order in which they
 * were reported; queues their verifications, for ships that of the project's own address, and what the commits are told where the
 * hook reports statuses; all at the cost of one. No event is recorded twice, no deployment that is the last ship already, and no more than
 * `SHIPS_AN_HOUR` and `PREVIEWS_AN_HOUR`. Throws `project_not_found`, and `busy` where too many are being recorded.
 */
export async function recordShips(
  deps: Deps,
  hook: HookActor,
  reports: readonly ReportedDeployment[],
  reporting: ReportingTarget | null = null,
  previewHosts: readonly string[] = [],
): Promise<ReportOutcome[]> {
  const targets = reports.map((report) => findTarget(report, previewHosts));
  const ignored = targets.flatMap((target) => ("ignored" in target ? target : []));
  if (reporting === null && ignored.length === reports.length) return ignored;
  const { projectId } = hook;
  const release = await deps.semaphores.recordings.acquire(hook.accountId, MAX_RECORD_WAIT_MS);
  try {
    return await changeProject(deps, hook, "change", projectId, async (sql, { url }) => {
      const known = await findKnownShips(sql, projectId, {
        eventKeys: reports.map(({ eventKey }) => eventKey),
        times: reports.map(({ deployedAt }) => readTime(deployedAt)),
      });
      const bucketOf = (kind: ReportedKind) => ({ bound: BOUNDS[kind], subject: projectId });
      const left = {
        announced: await readBucket(sql, bucketOf("announced")),
        preview: await readBucket(sql, bucketOf("preview")),
      };
      const { outcomes, ships } = processReports(reports, targets, known, left);
      if (ships.length > 0) {
        for (const kind of ["announced", "preview"] as const) {
          const count = ships.filter((ship) => ship.kind === kind).length;
          if (count > 0) await takeFromBucket(sql, bucketOf(kind), count);
        }
        await insertShips(sql, projectId, url, ships);
        const events = ships.map(({ id }) => {
          const details = { deploymentId: id };
          return { action: "deployment.recorded" as const, projectId, details };
        });
        await insertEvent(sql, hook, ...events);
      }
      if (reporting) {
        const statuses = statusesOf(reporting, reports, outcomes, ships);
        await queueStatuses(sql, projectId, reporting, statuses);
      }
      return outcomes;
    });
  } finally {
    release();
  }
}
