import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup } from "./command.ts";
import { defineList, defineOperation } from "./command.ts";
import { ZONE_OPTION } from "./maintenance.ts";

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
        return defineList(listIncidentsOfProject, "all");
      },
    },
    {
      words: "ack <id>",
      description: "say that somebody looks after an open incident: there are no more reminders",
      options: [{ flags: "--note <text>", description: "a note for the project's people" }],
      prints: { field: "id" },
      async load() {
        const { acknowledgeIncident } = await import("../projects/incidents.ts");
        const { Note } = await import("../projects/typed-times.ts");
        return defineOperation({
          input: z.object({ id: z.string(), note: Note.default(null) }),
          run: (deps, { id, note }) => acknowledgeIncident(deps, OPERATOR, id, note),
        });
      },
    },
    {
      words: "silence <id>",
      description:
        "tell nothing of an open incident until a time but its end, and that to whom its opening was told",
      options: [
        {
          flags: "--until <time>",
          description: "such as 2026-11-29T06:00Z; now: tell it again",
          isRequired: true,
        },
        ZONE_OPTION,
      ],
      prints: { field: "id" },
      async load() {
        const { silenceIncident } = await import("../projects/incidents.ts");
        const { readTime, Zone } = await import("../projects/typed-times.ts");
        return defineOperation({
          input: z.object({ id: z.string(), until: z.string(), zone: Zone.optional() }),
          run: (deps, { id, until, zone }) =>
            silenceIncident(deps, OPERATOR, id, (now) => readTime(until, { zone, now })),
        });
      },
    },
    {
      words: "publish <id> <text>",
      description:
        "publish a note about an incident on the status page; an empty one takes it back",
      prints: { field: "id" },
      async load() {
        const { publishNote } = await import("../projects/incidents.ts");
        const { Note } = await import("../projects/typed-times.ts");
        return defineOperation({
          input: z.object({ id: z.string(), text: Note }),
          run: (deps, { id, text }) => publishNote(deps, OPERATOR, id, text),
        });
      },
    },
  ],
};
