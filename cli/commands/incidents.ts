import type { Command } from "commander";
import type { IncidentListAnswer, ProjectIncident } from "../answers.ts";
import { openApi, type Api } from "../api.ts";
import { addCommonFlags, type Choose, type CommonFlags } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printResult } from "../output.ts";
import { getProjectId } from "../project.ts";
import { readSettings } from "../settings.ts";
import { formatIncidentList } from "../views/incident-list.ts";
import { incidentRows } from "../views/rows.ts";

interface IncidentFlags extends CommonFlags {
  readonly exitCode?: true;
}

interface Found {
  readonly json: IncidentListAnswer;
  readonly incidents: readonly ProjectIncident[];
}

const MAX_PARALLEL = 6;

async function listOfProject(api: Api, projectId: string): Promise<Found> {
  const json = await api.listIncidents(projectId);
  return { json, incidents: json.incidents.map((incident) => ({ ...incident, projectId })) };
}

/** Those of every visible project but the ones that are `up`, which have none. */
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
it, over all visible projects. Reading is free.

Examples:
  shipscore incidents
  shipscore incidents "My shop" --exit-code || echo "something is failing"
`;

export function declareIncidents(command: Command, choose: Choose): void {
  addCommonFlags(command.argument("[project]").option("--exit-code", "exit 1 when there is any"))
    .addHelpText("after", EXAMPLES)
    .action((project: string | undefined, flags: IncidentFlags) =>
      choose(flags, (context) => runIncidents(context, project, flags)),
    );
}

async function runIncidents(
  context: Context,
  project: string | undefined,
  flags: IncidentFlags,
): Promise<ExitCode> {
  const { io } = context;
  const api = openApi(readSettings(context.env, flags), context);
  const found = await io.showProgress("Reading incidents", async () =>
    project === undefined ? listOfAll(api) : listOfProject(api, await getProjectId(api, project)),
  );
  await printResult(io, flags, found, {
    json: ({ json }) => json,
    rows: ({ incidents }) => incidentRows(incidents),
    page: ({ incidents }, screen) => formatIncidentList(incidents, context.now(), screen),
  });
  return flags.exitCode && found.incidents.length > 0 ? EXIT.unmet : EXIT.done;
}
