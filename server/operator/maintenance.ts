import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import type { CommandGroup, CommandOption } from "./command.ts";
import { defineById, defineList, defineOperation } from "./command.ts";

export const ZONE_OPTION: CommandOption = {
  flags: "--zone <zone>",
  description: "whose clocks show a time without an offset, such as Europe/Paris",
};

export const MAINTENANCE: CommandGroup = {
  name: "maintenance",
  description: "plan the times in which failing is no incident",
  commands: [
    {
      words: "add <project>",
      description: "plan a window and print its id",
      options: [
        {
          flags: "--from <time>",
          description: "now, 2026-11-29T02:00Z, or with --weekly 02:00",
          isRequired: true,
        },
        {
          flags: "--to <time>",
          description: "when it ends; with --weekly on the day after, if it is not later",
          isRequired: true,
        },
        ZONE_OPTION,
        {
          flags: "--weekly <day>",
          description: "the day of the week on which it comes again, such as sunday",
        },
        {
          flags: "--url <url>",
          description: "one of the URLs that it is for; all by default",
          isRepeatable: true,
        },
        { flags: "--note <text>", description: "what is done; the status page shows it" },
      ],
      inputOf: ({ url, ...rest }) => ({ ...rest, urls: url }),
      prints: { field: "id" },
      async load() {
        const { addWindow, TypedWindow } = await import("../projects/maintenance.ts");
        return defineOperation({
          input: TypedWindow.extend({ project: z.string() }),
          run: async (deps, { project, ...window }) => ({
            id: await addWindow(deps, OPERATOR, project, window),
          }),
        });
      },
    },
    {
      words: "list <project>",
      description: "list a project's windows: the next first, then those that are over",
      prints: {
        rows: [
          column("ID", "id"),
          column("STATE", "state"),
          dateColumn("FROM", "from", "minute"),
          dateColumn("TO", "to", "minute"),
          column("WEEKLY", "weekly"),
          column("ZONE", "zone"),
          ["URLS", ({ urls }) => (urls as string[] | null)?.join(", ")],
          column("NOTE", "note"),
        ],
      },
      async load() {
        const { listWindows } = await import("../db/watching/maintenance.ts");
        return defineList(async (sql, project) =>
          (await listWindows(sql, project)).map(({ weekly, ...window }) => {
            return { ...window, weekly: weekly?.day ?? null };
          }),
        );
      },
    },
    {
      words: "end <id>",
      description: "end a window now, or leave out its next time; a weekly one comes again",
      prints: { field: "id" },
      async load() {
        const { endMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => endMaintenance(deps, OPERATOR, id));
      },
    },
    {
      words: "remove <id>",
      description: "end a window for good, also one that would come again",
      prints: { field: "id" },
      async load() {
        const { removeMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => removeMaintenance(deps, OPERATOR, id));
      },
    },
  ],
};
