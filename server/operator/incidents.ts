import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup } from "./command.ts";
import { defineOperation } from "./command.ts";

export const INCIDENT: CommandGroup = {
  name: "incident",
  description: "list what fails, and say who looks after it",
  commands: [
    {
      words: "list <project>",
      description: "list a project's open incidents, newest first",
      options: [{ flags: "--all", description: "also the last 1000 that are closed" }],
      prints: {
        rows: [
          column("ID", "id"),
          dateColumn("SINCE", "since", "minute"),
          dateColumn("CLOSED", "closedAt", "minute"),
          column("URL", "url"),
          column("REASON", "reason"),
          dateColumn("ACKNOWLEDGED", "acknowledgedAt", "minute"),
          column("BY", "acknowledgedBy"),
          column("NOTE", "note"),
          column("PUBLIC NOTE", "publicNote"),
          dateColumn("SILENCED UNTIL", "silencedUntil", "minute"),
        ],
      },
      async load() {
        const { listIncidentsOfProject } = await import("../db/watching/incidents.ts");
        const { requireRightTo } = await import("../projects/rights.ts");
        return defineOperation({
          input: z.object({ project: z.string(), all: z.boolean().default(false) }),
          async run({ database: { sql } }, { project, all }) {
            await requireRightTo(sql, OPERATOR, "see", project);
            return listIncidentsOfProject(sql, project, all);
          },
        });
      },
    },
  ],
};
