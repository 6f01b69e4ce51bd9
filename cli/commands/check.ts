import type { Command } from "commander";
import { openApi } from "../client/api.ts";
import { getProjectId } from "../client/project.ts";
import { readBaseUrl, readLanguage, readSettings } from "../client/settings.ts";
import { type Compare, openBaseline } from "../check/baseline.ts";
import type { Checked } from "../check/checked.ts";
import { type Against, evaluateGate } from "../check/gate.ts";
import { addGateFlags, checkGateFlags, type TypedGateFlags } from "../check/gate-flags.ts";
import { noteUnknownIds } from "../check/known-ids.ts";
import { addOutputFlags, checkOutputFlags, type OutputFlags } from "../check/output-flags.ts";
import { addPageFlags, checkPageFlags, isListAsked, type PageFlags } from "../check/page-flags.ts";
import { openPages, openSavedPages, type Pages } from "../check/pages.ts";
import { findExitCode } from "../check/run.ts";
import { readSaved } from "../check/saved.ts";
import { formatRuleIds } from "../rules/known.ts";
import { openActions } from "../reports/github-actions.ts";
import {
  addReportFlags,
  checkReportFlags,
  findPrintedFormat,
  listTargets,
  type ReportFlags,
} from "../reports/report-flags.ts";
import { openReports } from "../reports/targets.ts";
import { addCommonFlags, type Choose, refuseRepeats } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { CliError } from "../terminal/errors.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { printCheckList, printSingleCheck } from "../views/check-output.ts";

interface CheckFlags extends PageFlags, OutputFlags, ReportFlags, TypedGateFlags {}

const describeUse = () => `
Each URL takes one slot of the month's quota; a retry after a lost connection
takes no second one. A URL without a scheme is taken as https. With a gate, the
command exits 1 when a condition is not met, and 4 when the verdict is
inconclusive; with several URLs, the worst result decides. What could not be
judged earns nothing at the gate.

Categories and their rules:
${formatRuleIds()}

Examples:
  shipscore check https://example.com/
  shipscore check https://example.com/ --min-score 80 --require tls,hdr.csp
  shipscore check "$PREVIEW_URL" --preview --wait-for-ready 120 --min-score 80
  shipscore check --urls urls.txt --max-drop 5 --project "My shop"
  shipscore check https://example.com/ --baseline main.json --fail-on new
  shipscore check --from main.json --explain hdr.csp
  shipscore check "$PREVIEW_URL" --min-score 80 --report junit=junit.xml
`;

export function declareCheck(command: Command, choose: Choose): void {
  addPageFlags(command);
  addOutputFlags(command);
  addReportFlags(command);
  addGateFlags(command);
  addCommonFlags(command, "quota.remaining");
  refuseRepeats(command, ["--min-category", "--require", "--report"]);
  command.addHelpText("after", describeUse).action((urls: string[], flags: CheckFlags) => {
    checkGateFlags(flags);
    checkPageFlags(urls, flags);
    checkReportFlags(flags);
    if (flags.from === undefined) checkOutputFlags(flags, isListAsked(urls, flags));
    const isJson = findPrintedFormat(flags) === "json";
    choose(isJson ? { json: true } : flags, (context) => runCheck(context, urls, flags));
  });
}

async function openAnswers(
  context: Context,
  typed: readonly string[],
  flags: CheckFlags,
): Promise<Pages> {
  if (flags.from !== undefined) {
    const saved = await readSaved(flags.from, context);
    checkOutputFlags(flags, saved.isList);
    return openSavedPages(context.io, saved, flags);
  }
  return openPages(context, readSettings(context.env, flags), typed, flags);
}

async function readBaseline(context: Context, { baseline }: CheckFlags): Promise<Compare | null> {
  if (baseline === undefined) return null;
  return openBaseline(baseline, context);
}

async function readLastShip(context: Context, flags: CheckFlags): Promise<Against> {
  if (flags.project === undefined) return {};
  const api = openApi(readSettings(context.env, flags), context);
  return api.getLastShip(await getProjectId(api, flags.project));
}

async function runCheck(
  context: Context,
  typed: readonly string[],
  flags: CheckFlags,
): Promise<ExitCode> {
  const { io, env } = context;
  const baseUrl = readBaseUrl(env, flags.baseUrl);
  const language = readLanguage(env);
  const compare = await readBaseline(context, flags);
  await noteUnknownIds(io, [...(flags.require ?? []), ...(flags.explain ? [flags.explain] : [])]);
  const pages = await openAnswers(context, typed, flags);
  const { isList } = pages;
  const reports = openReports(context, listTargets(flags));
  const actions = openActions(env, io);

  async function writeReports(checked: readonly Checked[], isEnded: boolean): Promise<void> {
    const { version, now } = context;
    const about = { baseUrl, language, version, now: now(), isList, isEnded };
    await reports.write(checked, about);
    await actions?.write(checked, about);
  }

  const shipped = await readLastShip(context, flags).catch(async (error: unknown) => {
    if (error instanceof CliError)
      await writeReports(
        pages.subjects.map((subject) => ({ ...subject, error })),
        true,
      );
    throw error;
  });

  const answered = await pages.check();
  const compareOne = compare?.(answered, isList);
  const checked = answered.map((one) => {
    if ("error" in one) return one;
    const compared = compareOne && { comparison: compareOne(one) };
    return {
      ...one,
      gate: evaluateGate(one.check, flags, compared ?? shipped, language),
      ...compared,
    };
  });
  await writeReports(checked, !isList && checked.some((one) => "error" in one));
  const telling = {
    baseUrl,
    language,
    isPrinted: findPrintedFormat(flags) !== undefined,
    isAnnotated: actions !== undefined,
  };
  if (isList) await printCheckList(io, flags, checked, telling);
  else for (const one of checked) await printSingleCheck(io, flags, one, telling);
  return findExitCode(checked, flags.fail);
}
