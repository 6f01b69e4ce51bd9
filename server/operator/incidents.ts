import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { ZONE_OPTION } from "./maintenance.ts";
import { defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

export const addIncidentCommands: AddCommands = (program, operate) => {
  const group = program.command("incident").description("list, acknowledge and silence incidents");
  operate(
    group
      .command("list <project>")
      .description("list a project's open incidents, newest first")
      .option("--all", "also list the last 1000 closed ones"),
    {
      print: printTable([
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
      ]),
      async load() {
        const { listIncidentsOfProject } = await import("../db/watching/incidents.ts");
        return defineList(listIncidentsOfProject, "all");
      },
    },
  );
  operate(
    group
      .command("ack <id>")
      .description("acknowledge an open incident, which stops its reminders")
      .option("--note <text>", "a note for the project's members"),
    {
      print: printFields("id"),
      async load() {
        const { acknowledgeIncident } = await import("../projects/incidents.ts");
        const { Note } = await import("../projects/typed-times.ts");
        return defineOperation({
          input: z.object({ id: z.string(), note: Note.default(null) }),
          run: (deps, { id, note }) => acknowledgeIncident(deps, OPERATOR, id, note),
        });
      },
    },
  );
  operate(
    group
      .command("silence <id>")
      .description(
        "silence an open incident until a time; only recipients of its opening are notified of its end",
      )
      .requiredOption("--until <time>", "such as 2026-11-29T06:00Z; now ends the silence")
      .option(...ZONE_OPTION),
    {
      print: printFields("id"),
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
  );
  operate(
    group
      .command("publish <id> <text>")
      .description("publish a note about an incident on the status page; an empty one removes it"),
    {
      print: printFields("id"),
      async load() {
        const { publishNote } = await import("../projects/incidents.ts");
        const { Note } = await import("../projects/typed-times.ts");
        return defineOperation({
          input: z.object({ id: z.string(), text: Note }),
          run: (deps, { id, text }) => publishNote(deps, OPERATOR, id, text),
        });
      },
    },
  );
};
