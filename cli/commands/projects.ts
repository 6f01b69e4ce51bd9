import { openApi } from "../api.ts";
import type { CommonFlags, Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printResult } from "../output.ts";
import { readSettings } from "../settings.ts";
import { formatProjectTable } from "../views/project-table.ts";
import { projectRows } from "../views/rows.ts";

export async function runProjects(context: Context, flags: CommonFlags): Promise<ExitCode> {
  const api = openApi(readSettings(context.env, flags), context);
  const answer = await context.io.showProgress("Reading projects", () => api.listProjects());
  await printResult(context.io, flags, answer, {
    rows: projectRows,
    page: (clean, screen) => formatProjectTable(clean, context.now(), screen),
  });
  return EXIT.done;
}
