import * as z from "zod/mini";
import { Check, Finding } from "../../shared/check.ts";
import { ApiError } from "../../shared/error.ts";
import { Incident, IncidentList } from "../../shared/incident.ts";
import { type LastShip, LastShipResponse } from "../../shared/last-ship.ts";
import { type Project, ProjectList } from "../../shared/project.ts";
import type { Opened, ReportedCheck, ReportedFinding } from "../../shared/report/reported.ts";
import { type Fields, listOf, objectOf } from "../terminal/field.ts";

// Each schema reads one value, so a parser compiled for it would never pay.
z.config({ jitless: true });

/**
 * A schema of the wire as the command reads it, without its closed lists: a newer server may send members and words that
 * are unknown here. `--json` keeps such members, and such words are shown as they are.
 */
export type Open<T> = z.core.$ZodType<Opened<T>>;

function openAny(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const members = Object.entries(def.shape);
      return z.object(Object.fromEntries(members.map(([name, each]) => [name, openAny(each)])));
    }
    case "array":
      return z.array(openAny(def.element));
    case "nullable":
      return z.nullable(openAny(def.innerType));
    case "optional":
      return z.optional(openAny(def.innerType));
    case "enum":
    case "literal":
      return z.string();
    default:
      return schema;
  }
}

/** Made when it first reads, since a run needs one or two of them. */
const open = <T>(schema: z.core.$ZodType<T>) => z.lazy(() => openAny(schema)) as Open<T>;

export const ReceivedCheck = open(Check);
export type ReceivedCheck = ReportedCheck & Pick<Check, "quota">;
export type ReceivedFinding = ReportedFinding;

export const ReceivedProjectList = open(ProjectList);
export type ReceivedProjectList = Opened<ProjectList>;
export type ReceivedProject = Opened<Project>;

export const ReceivedIncidentList = open(IncidentList);
export type ReceivedIncidentList = Opened<IncidentList>;

/** An incident and the project that it was found in, whose name is null where nobody told it. */
export type ProjectIncident = Opened<Incident> & {
  readonly projectId: string;
  readonly projectName: string | null;
};

export const ReceivedLastShip = open(LastShipResponse);
export type ReceivedLastShip = Opened<LastShipResponse>;
export type ReceivedShip = Opened<LastShip>;

export const ReceivedError = open(ApiError);

export const Health = z.object({
  status: z.literal("ok"),
  version: z.optional(z.string()),
});

/** The value itself, of the API or of a file that holds one; undefined where it is not what the schema says. */
export function read<T>(schema: z.core.$ZodType<T>, value: unknown): T | undefined {
  return z.safeParse(schema, value).success ? (value as T) : undefined;
}

/** Which field of a value is not what its schema says; undefined where the whole value is not. */
export function findFault(schema: z.core.$ZodType, value: unknown): string | undefined {
  const issue = z.safeParse(schema, value, { reportInput: true }).error?.issues[0];
  if (issue === undefined || issue.path.length === 0) return undefined;
  return `${issue.path.join(".")} is ${issue.input === undefined ? "missing" : "not what it should be"}`;
}

function fieldsOf(schema: z.core.$ZodType): Fields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "array") return listOf(fieldsOf(def.element));
  if (def.type === "nullable" || def.type === "optional") return fieldsOf(def.innerType);
  if (def.type !== "object") return {};
  const members = Object.entries(def.shape);
  return objectOf(Object.fromEntries(members.map(([name, each]) => [name, fieldsOf(each)])));
}

/** The fields of what `--json` prints, as far as the API gives them. The incidents of all projects name their projects. */
export const FIELDS = {
  check: () => fieldsOf(Check),
  finding: () => fieldsOf(Finding),
  projects: () => fieldsOf(ProjectList),
  incidents: () =>
    objectOf({
      incidents: listOf(
        objectOf({ ...fieldsOf(Incident).members, projectId: {}, projectName: {} }),
      ),
    }),
  "last-ship": () => fieldsOf(LastShipResponse),
};
