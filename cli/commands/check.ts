import type { Command } from "commander";
import { openApi } from "../client/api.ts";
import { getProjectId } from "../client/project.ts";
import { findDocsBase, readSettings } from "../client/settings.ts";
import { compareWith, readSaved } from "../check/saved-results.ts";
import type { Checked } from "../check/results.ts";
import { evaluateGate } from "../../shared/report/gate.ts";
import {
  addGateFlags,
  checkGateFlags,
  type TypedGateFlags,
  addOutputFlags,
  checkOutputFlags,
  type OutputFlags,
} from "../check/gate-flags.ts";
import { noteUnknownIds } from "../check/rule-arguments.ts";
import {
  addPageFlags,
  areNoneTyped,
  checkPageFlags,
  CONFIG_FILE,
  hasConfigFile,
  isListAsked,
  type PageFlags,
} from "../check/page-flags.ts";
import { openPages, openSavedPages, type Pages } from "../check/pages.ts";
import { findExitCode } from "../check/run.ts";
import type { UsedAcceptances } from "../config/effective-settings.ts";
import { formatRuleIds } from "../rules/rule-ids.ts";
import {
  addReportFlags,
  checkReportFlags,
  findPrintedFormat,
  listTargets,
  type ReportFlags,
} from "../reports/report-flags.ts";
import { openReports } from "../reports/targets.ts";
import {
  addCommonFlags,
  type Context,
  type DeclareOptions,
  refuseRepeats,
} from "../terminal/command.ts";
import { addHelp, type HelpPart } from "../terminal/help.ts";
import { CliError } from "../terminal/errors.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { printRun } from "../views/check-output.ts";

interface CheckFlags extends PageFlags, OutputFlags, ReportFlags, TypedGateFlags {}

const EXAMPLES = [
  "shipscore check https://example.com/ --min-score 80 --require tls,hdr.csp",
  'shipscore check "$PREVIEW_URL" --preview --wait-for-ready 120 --min-score 80',
  'shipscore check --site "$PREVIEW_URL" --preview    # shipscore.json',
  "shipscore check https://example.com/ --baseline main.json --fail-on-new",
  'shipscore check "$PREVIEW_URL" --min-score 80 --report junit=junit.xml',
];

const describeWhole = (): readonly HelpPart[] => [
  {
    fr: "Chaque URL est décomptée du quota mensuel comme une vérification ; une nouvelle tentative après une connexion perdue ne l'est pas. Une URL sans schéma est complétée en https.",
    en: "Each URL counts as one check against the monthly quota; a retry after a lost connection does not. A URL without a scheme is interpreted as https.",
  },
  {
    fr: "S'il y a des conditions, la commande renvoie 1 quand l'une d'elles n'est pas remplie, et 4 quand le verdict n'est pas concluant : ce qui n'a pas pu être évalué en déciderait. Avec plusieurs URL, le pire résultat l'emporte. Pour les conditions, ce qui n'a pas pu être évalué ne rapporte aucun point.",
    en: "With a gate, the command exits 1 when a condition is not met, and 4 when the verdict is inconclusive: what could not be assessed would decide it. With several URLs, the worst result decides. What could not be assessed earns nothing in the gate.",
  },
  { fr: "Catégories et règles :", en: "Categories and their rules:" },
  formatRuleIds(),
];

export function declareCheck(command: Command, options: DeclareOptions): void {
  const { choose, isWhole, language } = options;
  addPageFlags(command, language);
  addOutputFlags(command, language);
  addReportFlags(command, language);
  addGateFlags(command, language);
  addCommonFlags(command, { example: "quota.remaining" }, language);
  refuseRepeats(command, ["--min-category", "--require", "--report"]);
  const parts = isWhole ? describeWhole() : [];
  addHelp(command, { examples: EXAMPLES, parts }, language).action(
    (urls: string[], flags: CheckFlags) => {
      const isConfigured =
        flags.config !== undefined || (areNoneTyped(urls, flags) && hasConfigFile());
      if (!isConfigured) checkFlags(urls, flags, isListAsked(urls, flags));
      const isJson = findPrintedFormat(flags) === "json";
      const plan = isConfigured ? planConfigured : planTyped;
      choose(isJson ? { ...flags, json: true } : flags, async (context) =>
        runCheck(context, await plan(urls, flags, context)),
      );
    },
  );
}

/** @param typed null where the pages are those of a file */
function checkFlags(typed: readonly string[] | null, flags: CheckFlags, isList: boolean): void {
  if (typed) {
    checkGateFlags(flags);
    checkPageFlags(typed, flags);
  }
  checkReportFlags(flags);
  if (flags.from === undefined) checkOutputFlags(flags, isList);
}

interface Plan {
  readonly flags: CheckFlags;
  /** The conditions for all pages, then those that some pages add. */
  readonly gates: readonly TypedGateFlags[];
  readonly used?: UsedAcceptances;
  readonly open: (context: Context) => Promise<Pages>;
}

function planTyped(typed: readonly string[], flags: CheckFlags): Plan {
  return { flags, gates: [flags], open: (context) => openResults(context, typed, flags) };
}

async function planConfigured(
  typed: readonly string[],
  given: CheckFlags,
  { now: readClock, io }: Context,
): Promise<Plan> {
  const { readConfigFile } = await import("../config/config-file.ts");
  const { configure, trackAcceptances } = await import("../config/effective-settings.ts");
  const { openSite } = await import("../config/site-pages.ts");
  const file = readConfigFile(given.config ?? CONFIG_FILE);
  const now = readClock();
  const isSite = areNoneTyped(typed, given);
  const configured = configure(file, given, now, isSite);
  const { flags, pages, isList, acceptances } = configured;
  if (isSite) checkFlags(null, flags, isList);
  else checkFlags(typed, flags, isListAsked(typed, flags));
  return {
    flags,
    gates: [flags, ...(isSite ? pages.map(({ gate }) => gate) : [])],
    used: trackAcceptances(acceptances, { now, language: io.language, isSite }),
    open: (context) =>
      isSite ? openSite(context, file, configured) : openResults(context, typed, flags),
  };
}

async function openResults(
  context: Context,
  typed: readonly string[],
  flags: CheckFlags,
): Promise<Pages> {
  if (flags.from !== undefined) {
    const saved = await readSaved(flags.from, context);
    checkOutputFlags(flags, saved.isList);
    return openSavedPages(context.io, saved, flags);
  }
  return openPages(context, typed, flags);
}

async function readAll<T>(
  names: readonly (string | undefined)[],
  read: (name: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (const name of new Set(names)) if (name !== undefined) found.set(name, await read(name));
  return found;
}

async function readLastShip(context: Context, flags: CheckFlags, project: string) {
  const api = openApi(readSettings(context.env, flags), context);
  return api.getLastShip(await getProjectId(api, project));
}

async function runCheck(context: Context, { flags, gates, used, open }: Plan): Promise<ExitCode> {
  const { io, env } = context;
  const { language } = io;
  const docsBase = findDocsBase(env, flags.baseUrl);
  const baselines = await readAll(
    gates.map(({ baseline }) => baseline),
    (path) => readSaved(path, context),
  );
  const required = gates.flatMap((gate) => gate.require ?? []);
  await noteUnknownIds(io, new Set([...required, ...(flags.explain ? [flags.explain] : [])]));
  for (const line of used?.warnings ?? []) await io.writeLine(`shipscore: ${line}`);
  const pages = await open(context);
  const { isList } = pages;
  const writeFiles = openReports(context, listTargets(flags));
  const writeActions =
    env.GITHUB_ACTIONS === "true"
      ? (await import("../reports/github-actions.ts")).openActions(env, io)
      : undefined;

  async function writeReports(checked: readonly Checked[], isEnded: boolean): Promise<void> {
    const { version, now } = context;
    const about = { docsBase, language, version, now: now(), isList, isEnded };
    await writeFiles(checked, about);
    await writeActions?.(checked, about);
  }

  const ships = await readAll(
    gates.map(({ project }) => project),
    (project) => readLastShip(context, flags, project),
  ).catch(async (error: unknown) => {
    if (error instanceof CliError)
      await writeReports(
        pages.subjects.map((subject) => ({ ...subject, error })),
        true,
      );
    throw error;
  });

  const answered = await pages.check();
  const compareBy = new Map(
    [...baselines].map(([path, saved]) => [path, compareWith(saved, answered, isList)] as const),
  );
  const checked = answered.map((one, index) => {
    if ("error" in one) return one;
    const gate = pages.gates?.[index] ?? flags;
    const compare = compareBy.get(gate.baseline ?? "");
    const compared = compare && { comparison: compare(one) };
    const against = { ...ships.get(gate.project ?? ""), ...compared };
    const accepted = used?.accept(one) ?? [];
    return {
      ...one,
      gate: evaluateGate(one.check, gate, against, language, accepted),
      ...compared,
    };
  });
  await writeReports(checked, !isList && checked.some((one) => "error" in one));
  await printRun(io, flags, checked, {
    docsBase,
    language,
    isList,
    isPrinted: findPrintedFormat(flags) !== undefined,
    isAnnotated: writeActions !== undefined,
  });
  for (const line of used?.listIdle(checked) ?? []) await io.note(`shipscore: ${line}`);
  return findExitCode(checked, flags.fail);
}
