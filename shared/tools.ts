import * as z from "zod/mini";
import { CategoryId, Check, Finding } from "./check.ts";
import { Incident } from "./incident.ts";
import { LANGUAGES } from "./language.ts";
import { LastShipResponse } from "./last-ship.ts";
import { ProjectList } from "./project.ts";

const LanguageChoice = z
  .optional(z.enum(LANGUAGES))
  .check(z.describe("Language of the texts; default: from Accept-Language, else French"));

const ProjectChoice = z.string().check(z.describe("The project's ID (prj_…) or its exact name"));

const Omitted = z
  .optional(z.int().check(z.gte(1)))
  .check(z.describe("How many items were left out to keep the result short"));

export const RunCheckInput = z.object({
  url: z.string().check(z.describe("The page's URL, beginning with https://")),
  preview: z
    ._default(z.boolean(), false)
    .check(z.describe("True for a preview deployment, which may disallow search engines")),
  language: LanguageChoice,
});
export type RunCheckInput = z.infer<typeof RunCheckInput>;

/** `findings` has only those that cost points. Texts are single lines, cut with …. */
export const RunCheckResult = z.extend(Check, {
  findings: z
    .array(z.partial(Finding, { fixLine: true, why: true }))
    .check(z.describe("The rules that cost points, greatest loss first")),
  passed: z
    .array(z.string())
    .check(z.describe("Ids of the rules that cost nothing: passed, not applicable, or blocked")),
});
export type RunCheckResult = z.infer<typeof RunCheckResult>;

export const ListProjectsInput = z.object({});

export const ListProjectsResult = z.extend(ProjectList, { omitted: Omitted });
export type ListProjectsResult = z.infer<typeof ListProjectsResult>;

export const ListIncidentsInput = z.object({
  project: z
    .optional(ProjectChoice)
    .check(
      z.describe(
        "The project's ID (prj_…) or its exact name; without it, the incidents of all projects",
      ),
    ),
});

export const ListIncidentsResult = z.object({
  incidents: z.array(
    z.extend(Incident, {
      projectId: z.optional(z.string()).check(z.describe("Present if the call named no project")),
    }),
  ),
  omitted: Omitted,
});
export type ListIncidentsResult = z.infer<typeof ListIncidentsResult>;

export const LastShipInput = z.object({ project: ProjectChoice });

export const LastShipResult = LastShipResponse;
export type LastShipResult = z.infer<typeof LastShipResult>;

export const ExplainRuleInput = z.object({
  id: z.string().check(z.maxLength(100), z.describe("The rule's id, such as hdr.csp")),
  language: LanguageChoice,
});

/** From the newest ruleset. `cap` is the highest score of a page that fails the rule, or null. */
export const ExplainRuleResult = z.object({
  id: z.string(),
  title: z.string(),
  category: CategoryId,
  points: z.number().check(z.gte(0)),
  cap: z.nullable(z.int().check(z.gte(0), z.lte(99))),
  measures: z.string(),
  matters: z.string(),
  fix: z.string(),
  fixLine: z.nullable(z.string()),
  standard: z.object({ name: z.string(), url: z.string() }),
  docsUrl: z.string(),
});
export type ExplainRuleResult = z.infer<typeof ExplainRuleResult>;
