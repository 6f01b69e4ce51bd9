import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import { collect, defineById, defineList, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

export const ZONE_OPTION = [
  "--zone <zone>",
  "the time zone of times without an offset, such as Europe/Paris",
] as const;

export const addMaintenanceCommands: AddCommands = (program, operate) => {
  const group = program
    .command("maintenance")
    .description("plan maintenance windows, in which failures open no incidents");
  operate(
    group
      .command("add <project>")
      .description("add a window and print its ID")
      .requiredOption("--from <time>", "now, 2026-11-29T02:00Z, or with --weekly 02:00")
      .requiredOption(
        "--to <time>",
        "the end; with --weekly it is on the next day unless it is later than --from",
      )
      .option(...ZONE_OPTION)
      .option("--weekly <day>", "the day of the week on which the window recurs, such as sunday")
      .option("--url <url>", "a URL that the window covers, repeatable; by default all", collect)
      .option("--note <text>", "a public note for the status page"),
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
      .description("list a project's windows: the next first, then past ones"),
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
      .description("end a window now, or cancel it before it begins; a weekly one recurs"),
    {
      print: printFields("id"),
      async load() {
        const { endMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => endMaintenance(deps, OPERATOR, id));
      },
    },
  );
  operate(
    group.command("remove <id>").description("remove a window for good, including a weekly one"),
    {
      print: printFields("id"),
      async load() {
        const { removeMaintenance } = await import("../projects/maintenance.ts");
        return defineById((deps, id) => removeMaintenance(deps, OPERATOR, id));
      },
    },
  );
};
