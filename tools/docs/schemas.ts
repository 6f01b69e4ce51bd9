import * as z from "zod/mini";
import { Config } from "../../cli/config/schema.ts";
import { Acceptance } from "../../shared/acceptance.ts";
import { CategoryId, Check } from "../../shared/check.ts";
import { Incident, IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { EvidenceFile } from "../../server/engine/evidence/evidence-file.ts";

/** A URL that could not be checked, in a list of checks. */
const Unchecked = z.object({ url: z.string(), exitCode: z.int(), error: z.string() });

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
const GatedCheck = z.extend(Check, {
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

const CheckList = z.object({ checks: z.array(GatedCheck), errors: z.optional(z.array(Unchecked)) });

const ProjectIncidentList = z.object({
  incidents: z.array(
    z.extend(Incident, { projectId: z.string(), projectName: z.optional(z.string()) }),
  ),
});

const ExplainedRule = z.object({
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
  fixLine: z.nullable(z.string()).check(z.describe("The line to paste, where one fixes it")),
});

const SCHEMAS: Readonly<Record<string, [title: string, schema: z.core.$ZodType]>> = {
  "check.schema.json": ["shipscore check URL --json", GatedCheck],
  "checks.schema.json": ["shipscore check URL URL... --json", CheckList],
  "projects.schema.json": ["shipscore projects --json", ProjectList],
  "incidents.schema.json": ["shipscore incidents PROJECT --json", IncidentList],
  "all-incidents.schema.json": ["shipscore incidents --json", ProjectIncidentList],
  "last-ship.schema.json": ["shipscore last-ship PROJECT --json", LastShipResponse],
  "rule.schema.json": ["shipscore explain RULE --json", ExplainedRule],
  "config.schema.json": ["shipscore.json, which shipscore check reads", Config],
  "evidence.schema.json": ["shipscore-server evidence CHECK_ID", EvidenceFile],
};

/** The schemas of outputs allow any additional property, since a later version may add some; that of the file allows none. */
function describeSchema(title: string, schema: z.core.$ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", reused: "ref" });
  return `${JSON.stringify({ $schema, title, ...rest }, undefined, 2)}\n`;
}

/** The JSON Schema of each output, by file name. */
export const SCHEMA_PAGES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, [title, schema]]) => [
    `docs/schemas/${name}`,
    () => describeSchema(title, schema),
  ]),
);
