import type { Cap, Check, Timings } from "../../shared/check.ts";
import type { ApiError } from "../../shared/error.ts";
import type { Incident } from "../../shared/incident.ts";
import type { LastShip } from "../../shared/last-ship.ts";
import type { Project } from "../../shared/project.ts";
import type { Quota } from "../../shared/quota.ts";
import type {
  ReportedCategory,
  ReportedCheck,
  ReportedFinding,
} from "../../shared/report/reported.ts";
import { type Fields, listOf, objectOf } from "../terminal/field.ts";
import {
  type Is,
  isDate,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isText,
  isWhole,
} from "./shapes.ts";

/*
 * The API's values as the command reads them, from servers of any version since 0.1.0. A newer server may send fields
 * that are unknown here, which `--json` keeps, and new words of a closed list, which are shown as they are. An older one
 * does not send what the wire has gained since 0.1.0, which is optional here.
 * The wire's own schemas would take longer to load than the rest of the command; test/cli/received.test.ts compares both.
 */

/** With any word in place of those of a closed list. */
type AnyWord<T, Name extends keyof T> = Omit<T, Name> & {
  [Each in Name]: string | Extract<T[Each], null>;
};

export type ReceivedFinding = ReportedFinding;
export type ReceivedCheck = ReportedCheck & Pick<Check, "quota">;

export type ReceivedProject = AnyWord<Project, "state" | "role">;
export type ReceivedProjectList = { projects: ReceivedProject[] };

export type ReceivedIncidentList = { incidents: Incident[] };

/** An incident and the project that it was found in, whose name is null where nobody told it. */
export type ProjectIncident = Incident & {
  readonly projectId: string;
  readonly projectName: string | null;
};

export type ReceivedShip = AnyWord<LastShip, "environment" | "verdict">;
export type ReceivedLastShip = { lastShip: ReceivedShip | null };

const isCount = isWhole(0);
const isScore = isWhole(0, 100);
const isAmount: Is<number> = (value): value is number => isNumber(value) && value >= 0;

const isQuota: Is<Quota> = isObject({ used: isCount, limit: isCount, remaining: isCount });

const isFinding: Is<ReceivedFinding> = isObject(
  {
    id: isText,
    category: isText,
    status: isText,
    earned: isAmount,
    points: isAmount,
    title: isText,
    evidence: isText,
    fix: isText,
    docsUrl: isText,
  },
  { fixLine: isNullOr(isText), blockedBy: isText },
);

const isCap: Is<Cap> = isObject({ findingId: isText, limit: isWhole(), reason: isText });

const isCategory: Is<ReportedCategory> = isObject({
  id: isText,
  earned: isNumber,
  points: isNumber,
});

const isTimings: Is<Timings> = isObject({
  dnsMs: isNullOr(isNumber),
  connectMs: isNullOr(isNumber),
  tlsMs: isNullOr(isNumber),
  firstByteMs: isNullOr(isNumber),
  downloadMs: isNullOr(isNumber),
});

const isFlag: Is<boolean> = (value) => typeof value === "boolean";

const isCheck: Is<ReceivedCheck> = isObject({
  id: isText,
  url: isText,
  finalUrl: isText,
  preview: isFlag,
  score: isScore,
  scoreRange: isObject({ min: isScore, max: isScore }),
  coverage: isScore,
  verdict: isText,
  ruleset: isText,
  caps: isListOf(isCap),
  categories: isListOf(isCategory),
  findings: isListOf(isFinding),
  timings: isTimings,
  checkedAt: isDate,
  durationMs: isNumber,
  quota: isQuota,
});

const isProject: Is<ReceivedProject> = isObject({
  id: isText,
  name: isText,
  url: isText,
  state: isText,
  stateSince: isNullOr(isDate),
  role: isText,
  lastCheckedAt: isNullOr(isDate),
  score: isNullOr(isScore),
});

const isIncident: Is<Incident> = isObject({
  id: isText,
  url: isText,
  since: isDate,
  reason: isText,
  lastCheckedAt: isDate,
});

const isShip: Is<ReceivedShip> = isObject({
  id: isText,
  url: isText,
  environment: isText,
  commit: isNullOr(isText),
  ref: isNullOr(isText),
  deployedAt: isDate,
  score: isNullOr(isScore),
  verdict: isNullOr(isText),
  ruleset: isNullOr(isText),
  checkId: isNullOr(isText),
});

const isProjectList: Is<ReceivedProjectList> = isObject({ projects: isListOf(isProject) });
const isLastShip: Is<ReceivedLastShip> = isObject({ lastShip: isNullOr(isShip) });

/** The fields of what `--json` prints, as far as the API gives them. The incidents of all projects name their projects. */
export const FIELDS = {
  check: isCheck,
  finding: isFinding,
  projects: isProjectList,
  incidents: objectOf({
    incidents: listOf(objectOf({ ...isIncident.members, projectId: {}, projectName: {} })),
  }),
  "last-ship": isLastShip,
} as const satisfies Readonly<Record<string, Fields>>;

/** Reads a value of the API, or of a file that holds one; undefined where it is none. */
export type Read<T> = (value: unknown) => T | undefined;

const reads =
  <T>(is: Is<T>): Read<T> =>
  (value) =>
    is(value) ? value : undefined;

export const readCheck: Read<ReceivedCheck> = reads(isCheck);
export const readProjectList: Read<ReceivedProjectList> = reads(isProjectList);
export const readIncidentList: Read<ReceivedIncidentList> = reads(
  isObject({ incidents: isListOf(isIncident) }),
);
export const readLastShip: Read<ReceivedLastShip> = reads(isLastShip);
export const readApiError: Read<ApiError> = reads(isObject({ error: isText }, { quota: isQuota }));

const isOk: Is<"ok"> = (value) => value === "ok";
export const readHealth: Read<{ version?: string | undefined }> = reads(
  isObject({ status: isOk }, { version: isText }),
);
