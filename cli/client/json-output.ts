import * as z from "zod/mini";
import { Acceptance } from "../../shared/acceptance.ts";
import { CategoryId, Check } from "../../shared/check.ts";
import { Incident } from "../../shared/incident.ts";
import type { Opened } from "../../shared/report/reported.ts";

/* The JSON that `--json` prints, where it is not the API's own value. */

const UncheckedUrl = z.object({ url: z.string(), exitCode: z.int(), error: z.string() });
export type UncheckedUrl = z.infer<typeof UncheckedUrl>;

const Condition = z.object({
  asked: z
    .string()
    .check(
      z.describe(
        "The flag and its value, or `verdict` if an inconclusive verdict leaves the gate open",
      ),
    ),
  met: z.boolean(),
  text: z.string().check(z.describe("The result, in words")),
});

/** The command adds `gate` to the API's check if there is a condition or an accepted finding. */
export const GatedCheck = z.extend(Check, {
  gate: z.optional(
    z.object({
      met: z.boolean().check(z.describe("True where all conditions are met")),
      conditions: z.array(Condition),
      accepted: z
        .optional(z.array(Acceptance))
        .check(z.describe("The accepted findings, which count as passed; absent without any")),
    }),
  ),
});

export const CheckList = z.object({
  checks: z.array(GatedCheck),
  errors: z.optional(z.array(UncheckedUrl)),
});

export const ProjectIncidentList = z.object({
  incidents: z.array(
    z.extend(Incident, { projectId: z.string(), projectName: z.optional(z.string()) }),
  ),
});
/** The name is missing if the project was given by id. */
export type ProjectIncident = Opened<z.infer<typeof ProjectIncidentList>>["incidents"][number];

const Step = z.object({
  step: z.string(),
  state: z.enum(["good", "doubtful", "failed", "skipped"]),
  text: z.string(),
  exitCode: z.optional(z.int()),
});

export const Diagnosis = z.object({ steps: z.array(Step) });
export type Diagnosis = z.infer<typeof Diagnosis>;

export const ExplainedRule = z.object({
  id: z.string(),
  category: CategoryId,
  points: z.number().check(z.gte(0)),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  measures: z.string(),
  cap: z.nullable(z.int()).check(z.describe("The highest score of a page that fails the rule")),
  fixLine: z
    .nullable(z.string())
    .check(z.describe("The lines to paste, if any, separated by line breaks")),
});
export type ExplainedRule = z.infer<typeof ExplainedRule>;
