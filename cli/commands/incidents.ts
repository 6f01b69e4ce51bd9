import type { Command } from "commander";
import type { ReceivedIncidentList, ReceivedProject } from "../client/api-responses.ts";
import { type ProjectIncident, ProjectIncidentList } from "../client/json-output.ts";
import { openApi, type Api } from "../client/api.ts";
import {
  addCommonFlags,
  addHelp,
  type Choose,
  type CommonFlags,
  wholeNumber,
  type Context,
  watch,
} from "../terminal/command.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import { findProjectName, getProject } from "../client/project.ts";
import { readSettings } from "../client/settings.ts";

interface IncidentFlags extends CommonFlags {
  readonly exitCode?: true;
  readonly watch?: true;
  readonly interval?: number;
}

/** What `--json` prints, and the incidents as they are shown: the longest failing first, with their projects. */
interface Found {
  readonly json: ReceivedIncidentList;
  readonly incidents: readonly ProjectIncident[];
}

const MAX_PARALLEL = 6;

const byAge = (a: { readonly since: string }, b: { readonly since: string }) =>
  Date.parse(a.since) - Date.parse(b.since);

async function listOfProject(api: Api, wanted: string): Promise<Found> {
  const { id, name } = await getProject(api, wanted);
  const json = await api.listIncidents(id);
  const incidents = json.incidents.toSorted(byAge);
  const isUnnamed = name === undefined && incidents.length > 0;
  const projectName = isUnnamed ? await findProjectName(api, id) : name;
  return {
    json: { ...json, incidents },
    incidents: incidents.map((incident) => ({ ...incident, projectId: id, projectName })),
  };
}

async function listOfVisible(api: Api, { id, name }: ReceivedProject): Promise<ProjectIncident[]> {
  const { incidents } = await api.listIncidents(id).catch((error: unknown) => {
    // Deleted, or no longer shared, since the list was read.
    if (error instanceof CliError && error.exitCode === EXIT.projectNotFound)
      return { incidents: [] };
    throw error;
  });
  return incidents.map((incident) => ({ ...incident, projectId: id, projectName: name }));
}

/** The incidents of all visible projects. Those that are `up` have none and are not asked for. */
async function listOfAll(api: Api): Promise<Found> {
  const { projects } = await api.listProjects();
  const failing = projects.filter(({ state }) => state !== "up");
  const found: ProjectIncident[] = [];
  for (let start = 0; start < failing.length; start += MAX_PARALLEL) {
    const batch = failing.slice(start, start + MAX_PARALLEL);
    const lists = await Promise.all(batch.map((project) => listOfVisible(api, project)));
    found.push(...lists.flat());
  }
  const incidents = found.toSorted(byAge);
  return { json: { incidents }, incidents };
}

const EXAMPLES = `
PROJECT is an id, or the name or address of exactly one visible project. Without
it, the incidents of all visible projects are listed, the longest failing first.
Reading uses no check of the quota. Without a terminal, --watch prints a line
for each incident that opens or closes, until it is interrupted: opened or
closed, time, project, URL and reason, separated by tabs.

Examples:
  shipscore incidents
  shipscore incidents "My shop" --exit-code || echo "something is failing"
  shipscore incidents --watch --interval 60
  shipscore incidents --watch >>incidents.log
`;

export function declareIncidents(command: Command, choose: Choose): void {
  command
    .argument("[project]")
    .option("--exit-code", "exit 1 when there is an incident")
    .option("--watch", "keep the list on the screen, or print what changes, until Ctrl-C")
    .option("--interval <seconds>", "between two reads (default: 30)", wholeNumber(5, 3600));
  addHelp(
    addCommonFlags(command, "incidents.0.url", { schema: ProjectIncidentList }),
    EXAMPLES,
  ).action((project: string | undefined, flags: IncidentFlags) => {
    checkWatchFlags(flags);
    choose(flags, (context) => runIncidents(context, project, flags));
  });
}

/** @throws CliError 2 for flags that make no sense together */
function checkWatchFlags(flags: IncidentFlags): void {
  if (!flags.watch && flags.interval !== undefined)
    throw usageError("--interval does nothing by itself", "Add --watch");
  const other = (["json", "field", "exitCode"] as const).find((name) => flags[name] !== undefined);
  if (flags.watch && other !== undefined)
    throw usageError(
      `--watch is for a screen, and --${other === "exitCode" ? "exit-code" : other} for programs`,
      "Leave out one of the two; into a pipe, --watch prints a line for each change",
    );
}

async function runIncidents(
  context: Context,
  project: string | undefined,
  flags: IncidentFlags,
): Promise<ExitCode> {
  const { io, now } = context;
  const settings = readSettings(context.env, flags);
  const read = (reader: Context) => {
    const api = openApi(settings, reader);
    return project === undefined ? listOfAll(api) : listOfProject(api, project);
  };
  if (flags.watch) {
    const { openIncidentLines, openIncidentScreen } = await import("../views/watched-incidents.ts");
    const intervalMs = (flags.interval ?? 30) * 1000;
    const display =
      io.screen && io.canRedraw
        ? await openIncidentScreen(io, io.screen, intervalMs, now)
        : openIncidentLines(io);
    return watch(context, intervalMs, async (quiet) => (await read(quiet)).incidents, display);
  }
  const found = await io.showProgress("Reading incidents", () => read(context));
  await printResult(io, flags, found, {
    json: ({ json }) => json,
    rows: ({ incidents }) => incidents.map((one) => rowOf(COLUMNS.incidents, one)),
    page: async ({ incidents }, screen) => {
      const { formatIncidentTable } = await import("../views/incident-table.ts");
      return formatIncidentTable(incidents, now(), screen);
    },
  });
  return flags.exitCode && found.incidents.length > 0 ? EXIT.unmet : EXIT.done;
}
