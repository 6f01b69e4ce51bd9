import * as z from "zod/mini";
import type { Check } from "../../shared/check.ts";
import { ApiError } from "../../shared/errors.ts";
import type { IncidentList } from "../../shared/incident.ts";
import type { LastShip, LastShipResponse } from "../../shared/last-ship.ts";
import type { Project, ProjectList } from "../../shared/project.ts";
import type { Opened, ReportedCheck } from "../../shared/report/reported.ts";

// Each schema reads one value, so a parser compiled for it would never pay.
z.config({ jitless: true });

export type ReceivedCheck = ReportedCheck & Pick<Check, "quota">;
export type ReceivedProjectList = Opened<ProjectList>;
export type ReceivedProject = Opened<Project>;
export type ReceivedIncidentList = Opened<IncidentList>;
export type ReceivedLastShip = Opened<LastShipResponse>;
export type ReceivedShip = Opened<LastShip>;

export const Health = z.object({
  status: z.string().check(z.regex(/^ok$/)),
  version: z.optional(z.string()),
});

/**
 * What is wrong with a value that the command received. Members and words of closed lists that are unknown here are not: a
 * newer server may send them. `--json` keeps such members, and such words are shown as they are.
 */
function findIssue(schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue | undefined {
  const issues = z.safeParse(schema, value, { reportInput: true }).error?.issues;
  return issues?.find(({ code, input }) => code !== "invalid_value" || typeof input !== "string");
}

/** The value itself, of the API or of a file that holds one; undefined where it is not what the schema says. */
export const read = <T>(schema: z.core.$ZodType<T>, value: unknown): Opened<T> | undefined =>
  findIssue(schema, value) ? undefined : (value as Opened<T>);

export const readError = (value: unknown) => read(ApiError, value);

/** Which field of a value is not what its schema says; undefined where the whole value is not. */
export function findFault(schema: z.core.$ZodType, value: unknown): string | undefined {
  const issue = findIssue(schema, value);
  if (issue === undefined || issue.path.length === 0) return undefined;
  return `${issue.path.join(".")} is ${issue.input === undefined ? "missing" : "not what it should be"}`;
}
