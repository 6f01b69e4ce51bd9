import type { Command } from "commander";
import { ProjectList } from "../../shared/project.ts";
import { openApi } from "../client/api.ts";
import {
  addCommonFlags,
  addHelp,
  type Choose,
  type CommonFlags,
  type Context,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import { readSettings } from "../client/settings.ts";

const EXAMPLES = `
Examples:
  shipscore projects
  shipscore projects | awk -F'\\t' '$2 != "up"'
`;

export function declareProjects(command: Command, choose: Choose): void {
  addHelp(addCommonFlags(command, "projects.0.state", { schema: ProjectList }), EXAMPLES).action(
    (flags: CommonFlags) => choose(flags, (context) => runProjects(context, flags)),
  );
}

async function runProjects(context: Context, flags: CommonFlags): Promise<ExitCode> {
  const api = openApi(readSettings(context.env, flags), context);
  const received = await context.io.showProgress("Reading projects", () => api.listProjects());
  await printResult(context.io, flags, received, {
    rows: ({ projects }) => projects.map((one) => rowOf(COLUMNS.projects, one)),
    page: async (clean, screen) => {
      const { formatProjectTable } = await import("../views/project-table.ts");
      return formatProjectTable(clean, context.now(), screen);
    },
  });
  return EXIT.done;
}
