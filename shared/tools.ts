import * as z from "zod/mini";
import { CategoryId, Check, Finding } from "./check.ts";
import { Incident } from "./incident.ts";
import { LANGUAGES } from "./language.ts";
import { LastShipResponse } from "./last-ship.ts";
import { ProjectList } from "./project.ts";

/** What goes into the tools of the MCP server, and the structured results that come out. */

const LanguageChoice = z
  .optional(z.enum(LANGUAGES))
  .check(z.describe("Language of the texts; by default that of Accept-Language, else French"));

const ProjectChoice = z.string().check(z.describe("The project's id (prj_…) or its exact name"));

/** How many of a list were left out to keep the result short; absent if none was. */
const Omitted = z
  .optional(z.int().check(z.gte(1)))
  .check(z.describe("How many more there are, left out to keep the result short"));

export const RunCheckInput = z.object({
  url: z.string().check(z.describe("The page's address, beginning with https://")),
  preview: z
    ._default(z.boolean(), false)
    .check(z.describe("True for a preview deployment, which may keep search engines out")),
  language: LanguageChoice,
});
export type RunCheckInput = z.infer<typeof RunCheckInput>;

/** A check of the API, with what costs points first and only the ids of the rest. Texts are single lines, cut with …. */
export const RunCheckResult = z.extend(Check, {
  findings: z
    .array(z.partial(Finding, { fixLine: true }))
    .check(z.describe("The rules that cost points, the greatest loss first")),
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
        "The project's id (prj_…) or its exact name; without it, the incidents of all projects",
      ),
    ),
});

export const ListIncidentsResult = z.object({
  incidents: z.array(
    z.extend(Incident, {
      projectId: z.optional(z.string()).check(z.describe("Given if no project was asked for")),
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

/** A rule of the newest ruleset; `cap` is the most that a page can score while it fails, null if it has none. */
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
