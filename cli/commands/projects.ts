import type { Command } from "commander";
import { ProjectList } from "../../shared/project.ts";
import { openApi } from "../client/api.ts";
import {
  addCommonFlags,
  type CommonFlags,
  type Context,
  type DeclareOptions,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import { readSettings } from "../client/settings.ts";
import { say } from "../../shared/report/words.ts";

const EXAMPLES = ["shipscore projects", `shipscore projects | awk -F'\\t' '$2 != "up"'`];

const READING = { fr: "Lecture des projets", en: "Reading projects" };

export function declareProjects(command: Command, { choose, language }: DeclareOptions): void {
  const flags = { example: "projects.0.state", schema: ProjectList };
  addHelp(addCommonFlags(command, flags, language), { examples: EXAMPLES }, language).action(
    (typed: CommonFlags) => choose(typed, (context) => runProjects(context, typed)),
  );
}

async function runProjects(context: Context, flags: CommonFlags): Promise<ExitCode> {
  const { io } = context;
  const api = openApi(readSettings(context.env, flags), context);
  const received = await io.showProgress(say(READING, io.language), () => api.listProjects());
  await printResult(io, flags, received, {
    rows: ({ projects }) => projects.map((one) => rowOf(COLUMNS.projects, one)),
    page: async (clean, screen) => {
      const { formatProjectTable } = await import("../views/project-table.ts");
      return formatProjectTable(clean, context.now(), screen);
    },
  });
  return EXIT.done;
}
