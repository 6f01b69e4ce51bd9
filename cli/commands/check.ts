import type { Command } from "commander";
import { openApi } from "../client/api.ts";
import { type CheckOutputFlags, printCheckList, printSingleCheck } from "../views/check-output.ts";
import { checkList, checkSingle, findExitCode } from "../check/run.ts";
import { type Checked, type GatedCheck, subjectOf } from "../check/checked.ts";
import {
  addCommonFlags,
  type Choose,
  type CommonFlags,
  refuseRepeats,
  wholeNumber,
} from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { type Baseline, evaluateGate } from "../check/gate.ts";
import { addGateFlags, checkGateFlags, type TypedGateFlags } from "../check/gate-flags.ts";
import { openActions } from "../reports/github-actions.ts";
import { getProjectId } from "../client/project.ts";
import { waitUntilReady } from "../check/ready.ts";
import { FORMATS } from "../reports/formats.ts";
import { openReports, readReportTarget, type ReportTarget } from "../reports/targets.ts";
import { listWords } from "../terminal/words.ts";
import { readSettings, readTargetHeaders, type Settings } from "../client/settings.ts";
import { readUrls } from "../check/urls.ts";

interface CheckFlags extends CommonFlags, TypedGateFlags, CheckOutputFlags {
  readonly preview?: true;
  readonly urls?: string;
  readonly waitForReady?: number;
  readonly report?: readonly ReportTarget[];
}

const EXAMPLES = `
Each URL takes one slot of the month's quota; a retry after a lost connection
takes no second one. With a gate, the command exits 1 when a condition is not
met, and 4 when the verdict is inconclusive; with several URLs, the worst result
decides. What could not be judged earns nothing at the gate.

Examples:
  shipscore check https://example.com/
  shipscore check https://example.com/ --min-score 80 --require tls,hdr.csp
  shipscore check "$PREVIEW_URL" --preview --wait-for-ready 120 --min-score 80
  shipscore check --urls urls.txt --max-drop 5 --project "My shop"
  shipscore check "$PREVIEW_URL" --min-score 80 --report junit=junit.xml
`;

const REPORT_HELP = `also write a report: ${listWords(Object.keys(FORMATS), "or")}; repeatable`;

export function declareCheck(command: Command, choose: Choose): void {
  command
    .argument("[url...]")
    .option("--urls <file>", "more URLs, one per line; - reads stdin")
    .option("--preview", "the page is a preview deployment, where a noindex is expected")
    .option(
      "--wait-for-ready <seconds>",
      "first wait for the page to answer, at most this long",
      wholeNumber(1, 3600),
    )
    .option("--all", "also show the findings that cost nothing")
    .option("--explain <finding>", "show one finding in full")
    .option("--report <format=file>", REPORT_HELP, readReportTarget);
  addCommonFlags(addGateFlags(command), "quota.remaining");
  refuseRepeats(command, ["--min-category", "--require", "--report"]);
  command.addHelpText("after", EXAMPLES).action((urls: string[], flags: CheckFlags) => {
    if (urls.length === 0 && flags.urls === undefined)
      throw usageError("there is no URL to check", "Give one or more, or --urls FILE");
    checkGateFlags(flags);
    choose(flags, (context) => runCheck(context, urls, flags));
  });
}

async function readBaseline(
  settings: Settings,
  context: Context,
  { maxDrop, project }: CheckFlags,
): Promise<Baseline> {
  if (maxDrop === undefined || project === undefined) return null;
  const api = openApi(settings, context);
  return (await api.getLastShip(await getProjectId(api, project))).lastShip;
}

async function runCheck(
  context: Context,
  typed: readonly string[],
  flags: CheckFlags,
): Promise<ExitCode> {
  const { io, env, signal } = context;
  const settings = readSettings(env, flags);
  const headers = readTargetHeaders(env);
  const { urls, isList } = await readUrls(typed, flags.urls, context.openStdin);
  if (isList && flags.explain !== undefined)
    throw usageError("--explain is about one URL", "Give one, without --urls");
  const reports = openReports(flags.report);
  const actions = openActions(env, io);
  const { baseUrl, language } = settings;

  async function writeReports(checked: readonly Checked[]): Promise<void> {
    const about = { baseUrl, language, version: context.version, now: context.now(), isList };
    await reports.write(checked, about);
    await actions?.write(checked, about);
  }

  const baseline = await readBaseline(settings, context, flags).catch(async (error: unknown) => {
    if (error instanceof CliError)
      await writeReports(urls.map((url) => ({ ...subjectOf(url), error })));
    throw error;
  });

  async function checkOne(url: string): Promise<GatedCheck> {
    if (flags.waitForReady !== undefined)
      await waitUntilReady(url, flags.waitForReady * 1000, env, signal);
    const request = { url, preview: flags.preview ?? false, headers };
    const check = await openApi(settings, context).check(request);
    return { ...subjectOf(url), check, gate: evaluateGate(check, flags, baseline) };
  }

  const [first = ""] = urls;
  const checked = await (isList ? checkList(io, urls, checkOne) : checkSingle(io, first, checkOne));
  await writeReports(checked);
  if (isList) await printCheckList(io, flags, checked);
  else for (const one of checked) await printSingleCheck(io, flags, one, baseUrl);
  return findExitCode(checked, flags.fail);
}
