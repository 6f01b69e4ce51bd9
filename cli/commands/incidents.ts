import type { Command } from "commander";
import type { ReceivedIncidentList, ReceivedProject } from "../client/api-responses.ts";
import { type ProjectIncident, ProjectIncidentList } from "../client/json-output.ts";
import { openApi, type Api } from "../client/api.ts";
import {
  addCommonFlags,
  type CommonFlags,
  type Context,
  type DeclareOptions,
  watch,
  wholeNumber,
} from "../terminal/command.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { say } from "../../shared/report/words.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import { findProjectName, getProject } from "../client/project.ts";
import { readSettings } from "../client/settings.ts";

interface IncidentFlags extends CommonFlags {
  readonly exitCode?: true;
  readonly watch?: true;
  readonly interval?: number;
}

interface IncidentResult {
  readonly json: ReceivedIncidentList;
  /** The longest failing first. */
  readonly incidents: readonly ProjectIncident[];
}

const MAX_PARALLEL = 6;

const byAge = (a: { readonly since: string }, b: { readonly since: string }) =>
  Date.parse(a.since) - Date.parse(b.since);

async function listByProject(api: Api, wanted: string): Promise<IncidentResult> {
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

async function listVisible(api: Api, { id, name }: ReceivedProject): Promise<ProjectIncident[]> {
  const { incidents } = await api.listIncidents(id).catch((error: unknown) => {
    // The project was deleted or unshared after the list was read.
    if (error instanceof CliError && error.exitCode === EXIT.projectNotFound)
      return { incidents: [] };
    throw error;
  });
  return incidents.map((incident) => ({ ...incident, projectId: id, projectName: name }));
}

/** A project that is `up` has no incident, so it needs no request. */
async function listOfAll(api: Api): Promise<IncidentResult> {
  const { projects } = await api.listProjects();
  const failing = projects.filter(({ state }) => state !== "up");
  const found: ProjectIncident[] = [];
  for (let start = 0; start < failing.length; start += MAX_PARALLEL) {
    const batch = failing.slice(start, start + MAX_PARALLEL);
    const lists = await Promise.all(batch.map((project) => listVisible(api, project)));
    found.push(...lists.flat());
  }
  const incidents = found.toSorted(byAge);
  return { json: { incidents }, incidents };
}

const READING = { fr: "Lecture des incidents", en: "Reading incidents" };

const HELP = {
  exitCode: {
    fr: "renvoyer le code 1 s'il y a un incident",
    en: "exit 1 when there is an incident",
  },
  watch: {
    fr: "actualiser la liste à l'écran, ou afficher les changements, jusqu'à Ctrl-C",
    en: "keep the list on the screen, or print what changes, until Ctrl-C",
  },
  interval: {
    fr: "délai entre deux lectures (30 par défaut)",
    en: "time between two reads (default: 30)",
  },
};

const PROJECT = {
  fr: "PROJET est l'identifiant d'un projet visible, ou bien son nom ou son URL, s'ils n'appartiennent qu'à un seul projet. Sans PROJET, la commande liste les incidents de tous les projets visibles, les plus anciens en premier. La lecture n'est pas décomptée du quota.",
  en: "PROJECT is an ID, or the name or URL of exactly one visible project. Without it, the command lists the incidents of all visible projects, oldest first. Reading does not count against the quota.",
};

const WATCH = {
  fr: "Sans terminal, --watch affiche une ligne pour chaque incident qui s'ouvre ou se clôt, jusqu'à son interruption : opened ou closed, date, projet, URL et cause, séparés par des tabulations.",
  en: "Without a terminal, --watch prints a line for each incident that opens or closes, until it is interrupted. Its fields are separated by tabs: opened or closed, time, project, URL and reason.",
};

const EXAMPLES = [
  "shipscore incidents",
  'shipscore incidents "My shop" --exit-code || echo "My shop!"',
  "shipscore incidents --watch --interval 60",
  "shipscore incidents --watch >>incidents.log",
];

export function declareIncidents(command: Command, { choose, language }: DeclareOptions): void {
  command
    .argument("[project]")
    .option("--exit-code", say(HELP.exitCode, language))
    .option("--watch", say(HELP.watch, language))
    .option("--interval <seconds>", say(HELP.interval, language), wholeNumber(5, 3600));
  const common = { example: "incidents.0.url", schema: ProjectIncidentList };
  addHelp(
    addCommonFlags(command, common, language),
    { examples: EXAMPLES, parts: [PROJECT, WATCH] },
    language,
  ).action((project: string | undefined, flags: IncidentFlags) => {
    checkWatchFlags(flags);
    choose(flags, (context) => runIncidents(context, project, flags));
  });
}

function checkWatchFlags(flags: IncidentFlags): void {
  if (!flags.watch && flags.interval !== undefined)
    throw usageError(
      { fr: "--interval seul est sans effet", en: "--interval has no effect by itself" },
      { fr: "Ajoutez --watch", en: "Add --watch" },
    );
  const other = (["json", "field", "exitCode"] as const).find((name) => flags[name] !== undefined);
  if (!flags.watch || other === undefined) return;
  const flag = other === "exitCode" ? "exit-code" : other;
  throw usageError(
    {
      fr: `--watch est destiné à un écran, et --${flag} à des programmes`,
      en: `--watch is for a screen, and --${flag} for programs`,
    },
    {
      fr: "Retirez l'une des deux options ; dans un tube, --watch affiche une ligne par changement",
      en: "Leave out one of the two; into a pipe, --watch prints a line for each change",
    },
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
    return project === undefined ? listOfAll(api) : listByProject(api, project);
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
  const found = await io.showProgress(say(READING, io.language), () => read(context));
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
