import * as z from "zod/mini";
import { Acceptance } from "../../shared/acceptance.ts";
import { CategoryId, Check } from "../../shared/check.ts";
import { Incident } from "../../shared/incident.ts";
import type { Opened } from "../../shared/report/reported.ts";

/* What `--json` prints, where that is not the API's own value. */

/** A URL that could not be checked, in a list of checks. */
const UncheckedUrl = z.object({ url: z.string(), exitCode: z.int(), error: z.string() });
export type UncheckedUrl = z.infer<typeof UncheckedUrl>;

const Condition = z.object({
  asked: z
    .string()
    .check(
      z.describe(
        "The flag and its value, or `verdict` where an inconclusive verdict decides nothing",
      ),
    ),
  met: z.boolean(),
  text: z.string().check(z.describe("What came of it, in words")),
});

/** The API's check with what `check` adds where there is a condition or an accepted finding. */
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
/** An incident and the project that it was found in, whose name is missing where nobody told it. */
export type ProjectIncident = Opened<z.infer<typeof ProjectIncidentList>>["incidents"][number];

const Step = z.object({
  step: z.string(),
  state: z.enum(["good", "doubtful", "failed", "skipped"]),
  text: z.string(),
  exitCode: z.optional(z.int()),
});
export type Step = z.infer<typeof Step>;

export const Diagnosis = z.object({ steps: z.array(Step) });

export const ExplainedRule = z.object({
  id: z.string(),
  category: CategoryId,
  points: z.number().check(z.gte(0)),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  measures: z.string(),
  cap: z
    .nullable(z.int())
    .check(z.describe("The most that a page can score while it fails the rule")),
  fixLine: z
    .nullable(z.string())
    .check(z.describe("The lines to paste, if any, separated by line breaks")),
});
export type ExplainedRule = z.infer<typeof ExplainedRule>;
