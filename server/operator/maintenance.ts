import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { collect, defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

export const ZONE_OPTION = [
  "--zone <zone>",
  "whose clocks show a time without an offset, such as Europe/Paris",
] as const;

export const addMaintenanceCommands: AddCommands = (program, operate) => {
  const group = program
    .command("maintenance")
    .description("plan the times in which failing is no incident");
  operate(
    group
      .command("add <project>")
      .description("plan a window and print its id")
      .requiredOption("--from <time>", "now, 2026-11-29T02:00Z, or with --weekly 02:00")
      .requiredOption(
        "--to <time>",
        "when it ends; with --weekly on the day after, if it is not later",
      )
      .option(...ZONE_OPTION)
      .option("--weekly <day>", "the day of the week on which it comes again, such as sunday")
      .option("--url <url>", "one of the URLs that it is for; all by default, repeatable", collect)
      .option("--note <text>", "what is done; the status page shows it"),
    {
      inputOf: ({ url, ...rest }) => ({ ...rest, urls: url }),
      print: printFields("id"),
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
  );
  operate(
    group
      .command("list <project>")
      .description("list a project's windows: the next first, then those that are over"),
    {
      print: printTable([
        column("ID", "id"),
        column("STATE", "state"),
        dateColumn("FROM", "from", "minute"),
        dateColumn("TO", "to", "minute"),
        column("WEEKLY", "weekly"),
        column("ZONE", "zone"),
        ["URLS", ({ urls }) => (urls as string[] | null)?.join(", ")],
        column("NOTE", "note"),
      ]),
      async load() {
        const { listWindows } = await import("../db/watching/maintenance.ts");
        return defineList(async (sql, project) =>
          (await listWindows(sql, project)).map(({ weekly, ...window }) => {
            return { ...window, weekly: weekly?.day ?? null };
          }),
        );
      },
    },
  );
  operate(
    group
      .command("end <id>")
      .description("end a window now, or leave out its next time; a weekly one comes again"),
    {
      print: printFields("id"),
      async load() {
        const { endMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => endMaintenance(deps, OPERATOR, id));
      },
    },
  );
  operate(
    group
      .command("remove <id>")
      .description("end a window for good, also one that would come again"),
    {
      print: printFields("id"),
      async load() {
        const { removeMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => removeMaintenance(deps, OPERATOR, id));
      },
    },
  );
};
