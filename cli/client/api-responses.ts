import * as z from "zod/mini";
import type { Check } from "../../shared/check.ts";
import { ApiError } from "../../shared/errors.ts";
import type { IncidentList } from "../../shared/incident.ts";
import type { LastShip, LastShipResponse } from "../../shared/last-ship.ts";
import type { Project, ProjectList } from "../../shared/project.ts";
import type { Text } from "../../shared/language.ts";
import type { Opened, ReportedCheck } from "../../shared/report/reported.ts";

// Each schema reads a single value, so compiling a parser for it would take longer than it saves.
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
 * Unknown members and unknown words of an enumeration are not faults, because a newer server may send them. `--json` keeps
 * such members, and reports show such words unchanged.
 */
function findIssue(schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue | undefined {
  const issues = z.safeParse(schema, value, { reportInput: true }).error?.issues;
  return issues?.find(({ code, input }) => code !== "invalid_value" || typeof input !== "string");
}

export const read = <T>(schema: z.core.$ZodType<T>, value: unknown): Opened<T> | undefined =>
  findIssue(schema, value) ? undefined : (value as Opened<T>);

export const readError = (value: unknown) => read(ApiError, value);

/** Undefined if the whole value does not match the schema. */
export function findFault(schema: z.core.$ZodType, value: unknown): Text | undefined {
  const issue = findIssue(schema, value);
  if (issue === undefined || issue.path.length === 0) return undefined;
  const field = issue.path.join(".");
  return issue.input === undefined
    ? { fr: `il manque ${field}`, en: `${field} is missing` }
    : { fr: `${field} n'est pas valide`, en: `${field} is not valid` };
}
