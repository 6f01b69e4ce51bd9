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

const labelOf = (text: string | null) => (text && oneLine(text, MAX_LABEL_LENGTH)) || null;

/** Accepts only URLs that are safe to link from pages. */
function linkOf(text: string | null): string | null {
  const url = text === null ? undefined : findUrl(text.trim());
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

function readTime(time: Date | null): number | null {
  const ms = time?.getTime() ?? NaN;
  return ms > 0 && ms < LATEST_MS ? ms : null;
}

const isSame = (ship: AnnouncedShip, last: AnnouncedShip) =>
  ship.providerId === null
    ? ship.deployedMs === last.deployedMs && ship.commit === last.commit && ship.ref === last.ref
    : ship.providerId === last.providerId;

type Target = Pick<NewShip, "kind" | "url" | "environment">;

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

const Environment = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, fault("environment_invalid"));

const Label = z
  .string()
  .trim()
  .regex(new RegExp(`^\\P{Cc}{1,${MAX_LABEL_LENGTH}}$`, "u"), fault("label_invalid"))
  .nullable()
  .default(null);

export const NewDeployment = z.object({
  projectId: z.string(),
  url: z.string(),
  environment: Environment,
  commit: Label,
  ref: Label,
});
export type NewDeployment = z.infer<typeof NewDeployment>;

/** Also queues a check. Throws `project_not_found`, `owner_only`, `url_refused`, `too_often`. */
export async function recordDeployment(
  deps: Deps,
  actor: Manager,
  input: NewDeployment,
): Promise<NewDeployment & { id: string }> {
  await requireVerifiableOfProject(deps, actor, input.projectId, input.url);
  const deployment = { id: newId("dep"), ...input };
  const { id, projectId } = deployment;
  await deps.database.begin(async (sql) => {
    await lockProject(sql, projectId);
    requireRight(await insertDeployment(sql, actor, deployment), "change", { projectId });
    const details = { deploymentId: id };
    await insertEvent(sql, actor, { action: "deployment.recorded", projectId, details });
  });
  return deployment;
}

/** A deployment as its provider reports it. Texts are raw, times are parsed. */
export interface ReportedDeployment {
  environment: string;
  /** The environment in the provider's words, such as `target preview`. The default is `environment` and its name. */
  environmentLabel?: string;
  /** Only previews need it; null if the report has none. */
  url: string | null;
  commit: string | null;
  ref: string | null;
  commitUrl: string | null;
  refUrl: string | null;
  /** The time by the provider's clock. The time of arrival replaces null, a future time and a time before 1970. */
  deployedAt: Date | null;
  /** Several events with the same id are one deployment. */
  providerId: string | null;
  /** The repository's names at the provider; empty if unknown. */
  repositories: readonly string[];
  /** Why a failed deployment is ignored; null for a successful one. */
  failed: string | null;
  /** A report with the same key within 24 hours is a repeat. */
  eventKey: string;
}

export type ReportOutcome =
  | { id: string }
  | { ignored: string }
  | { limit: number; retryAfterSeconds: number };

/** Allows a burst of this size, and the same number per hour afterwards. */
export const SHIPS_AN_HOUR = 300;
export const PREVIEWS_AN_HOUR = 60;

type ReportedKind = NewShip["kind"];

const BOUNDS: Readonly<Record<ReportedKind, Bound>> = {
  announced: { name: "ships of a project", capacity: SHIPS_AN_HOUR, seconds: 3600 },
  preview: { name: "previews of a project", capacity: PREVIEWS_AN_HOUR, seconds: 3600 },
};

/** Shorter than GitHub's timeout of 10 s for an event. */
const MAX_RECORD_WAIT_MS = 8000;

/** Spaces the arrival times by a microsecond, so that the ships keep the order of the reports. */
function processReports(
  reports: readonly ReportedDeployment[],
  targets: readonly (Target | { ignored: string })[],
  { nowMs, last, eventKeys, names }: KnownShips,
  left: Readonly<Record<ReportedKind, BucketLevel>>,
): { outcomes: ReportOutcome[]; ships: NewShip[] } {
  const knownKeys = new Set(eventKeys);
  const knownNames = new Set(names);
  const ships: NewShip[] = [];
  let newest = last;
  const outcomes = reports.map((report, index): ReportOutcome => {
    const target = targets[index] ?? { ignored: "" };
    if ("ignored" in target) return target;
    const { kind } = target;
    const { eventKey } = report;
    const reported = {
      deployedMs: readTime(report.deployedAt),
      providerId: labelOf(report.providerId),
      commit: labelOf(report.commit),
      ref: labelOf(report.ref),
    };
    if (knownKeys.has(eventKey)) return { ignored: "repeated" };
    if (kind === "announced" && newest !== null && isSame(reported, newest))
      return { ignored: "already the last ship" };
    // Some providers do not sign the delivery id, so an attacker could replay an event under a new id.
    const name = nameShip(reported);
    if (name !== undefined && knownNames.has(name)) return { ignored: "repeated" };
    const { tokens, waitSeconds } = left[kind];
    if (ships.filter((ship) => ship.kind === kind).length >= tokens)
      return { limit: BOUNDS[kind].capacity, retryAfterSeconds: waitSeconds };
    const recordedMs = nowMs + index / 1000;
    const deployedMs = Math.min(reported.deployedMs ?? Infinity, recordedMs);
    const links = { commitUrl: linkOf(report.commitUrl), refUrl: linkOf(report.refUrl) };
    const ship = {
      ...reported,
      ...links,
      ...target,
      id: newId("dep"),
      deployedMs,
      recordedMs,
      eventKey,
    };
    knownKeys.add(eventKey);
    if (name !== undefined) knownNames.add(name);
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

/** Statuses of deployments that were not recorded have the same rate limit as ships. */
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

/** Checks of production visit the project's URL. Throws `project_not_found`, and `busy` if the account has too many batches in progress. */
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
