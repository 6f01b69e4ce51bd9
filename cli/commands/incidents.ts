import type { Command } from "commander";
import type { ReceivedIncidentList, ProjectIncident } from "../client/received.ts";
import { openApi, type Api } from "../client/api.ts";
import { addCommonFlags, type Choose, type CommonFlags, wholeNumber } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { usageError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import type { Screen } from "../terminal/io.ts";
import { printResult } from "../terminal/output.ts";
import { getProjectId } from "../client/project.ts";
import { readSettings } from "../client/settings.ts";
import { cleanValue } from "../terminal/clean.ts";
import { COLUMNS, rowOf } from "../views/rows.ts";

interface IncidentFlags extends CommonFlags {
  readonly exitCode?: true;
  readonly watch?: true;
  readonly interval?: number;
}

interface Found {
  readonly json: ReceivedIncidentList;
  readonly incidents: readonly ProjectIncident[];
}

const MAX_PARALLEL = 6;

async function listOfProject(api: Api, projectId: string): Promise<Found> {
  const json = await api.listIncidents(projectId);
  return { json, incidents: json.incidents.map((incident) => ({ ...incident, projectId })) };
}

/** The incidents of all visible projects. Those that are `up` have none and are not asked for. */
async function listOfAll(api: Api): Promise<Found> {
  const { projects } = await api.listProjects();
  const failing = projects.filter(({ state }) => state !== "up");
  const incidents: ProjectIncident[] = [];
  for (let start = 0; start < failing.length; start += MAX_PARALLEL) {
    const batch = failing.slice(start, start + MAX_PARALLEL);
    const found = await Promise.all(batch.map(({ id }) => listOfProject(api, id)));
    incidents.push(...found.flatMap((each) => each.incidents));
  }
  return { json: { incidents }, incidents };
}

const EXAMPLES = `
PROJECT is an id, or the name or address of exactly one visible project. Without
it, the incidents of all visible projects are listed. Reading takes no slot of
the quota.

Examples:
  shipscore incidents
  shipscore incidents "My shop" --exit-code || echo "something is failing"
  shipscore incidents --watch --interval 60
`;

export function declareIncidents(command: Command, choose: Choose): void {
  command
    .argument("[project]")
    .option("--exit-code", "exit 1 when there is an incident")
    .option("--watch", "keep the list on the screen and refresh it until Ctrl-C")
    .option("--interval <seconds>", "between two refreshes (default: 30)", wholeNumber(5, 3600));
  addCommonFlags(command, "incidents.0.url")
    .addHelpText("after", EXAMPLES)
    .action((project: string | undefined, flags: IncidentFlags) => {
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
      "Leave out one of the two",
    );
}

async function runIncidents(
  context: Context,
  project: string | undefined,
  flags: IncidentFlags,
): Promise<ExitCode> {
  const { io } = context;
  const settings = readSettings(context.env, flags);
  const read = async (api: Api) =>
    project === undefined ? listOfAll(api) : listOfProject(api, await getProjectId(api, project));
  if (flags.watch) {
    const { formatIncidentList } = await import("../views/incident-list.ts");
    const { watch } = await import("../terminal/watch.ts");
    const show = ({ incidents }: Found, screen: Screen) =>
      formatIncidentList(cleanValue(incidents), context.now(), screen);
    return watch(context, (flags.interval ?? 30) * 1000, {
      read: (quiet) => read(openApi(settings, quiet)),
      show,
    });
  }
  const found = await io.showProgress("Reading incidents", () => read(openApi(settings, context)));
  await printResult(io, flags, found, {
    json: ({ json }) => json,
    rows: ({ incidents }) => incidents.map((one) => rowOf(COLUMNS.incidents, one)),
    page: async ({ incidents }, screen) => {
      const { formatIncidentList } = await import("../views/incident-list.ts");
      return formatIncidentList(incidents, context.now(), screen);
    },
  });
  return flags.exitCode && found.incidents.length > 0 ? EXIT.unmet : EXIT.done;
}
