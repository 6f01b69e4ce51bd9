import * as z from "zod/mini";
import {
  CheckList,
  ExplainedRule,
  GatedCheck,
  ProjectIncidentList,
} from "../../cli/client/json-output.ts";
import { Config } from "../../cli/config/schema.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { EvidenceFile } from "../../server/engine/evidence/packed-evidence.ts";

const SCHEMAS: Readonly<Record<string, [title: string, schema: z.core.$ZodType]>> = {
  "check.schema.json": ["shipscore check URL --json", GatedCheck],
  "checks.schema.json": ["shipscore check URL URL... --json", CheckList],
  "projects.schema.json": ["shipscore projects --json", ProjectList],
  "incidents.schema.json": ["shipscore incidents PROJECT --json", IncidentList],
  "all-incidents.schema.json": ["shipscore incidents --json", ProjectIncidentList],
  "last-ship.schema.json": ["shipscore last-ship PROJECT --json", LastShipResponse],
  "rule.schema.json": ["shipscore explain RULE --json", ExplainedRule],
  "config.schema.json": ["shipscore.json, read by shipscore check", Config],
  "evidence.schema.json": ["shipscore-server evidence CHECK_ID", EvidenceFile],
};

/** Output schemas allow additional properties, because a later version may add some. The schema of the account file allows none. */
function describeSchema(title: string, schema: z.core.$ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input", reused: "ref" });
  return `${JSON.stringify({ $schema, title, ...rest }, undefined, 2)}\n`;
}

export const SCHEMA_PAGES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, [title, schema]]) => [
    `docs/schemas/${name}`,
    () => describeSchema(title, schema),
  ]),
);
