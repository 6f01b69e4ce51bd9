import type { Command } from "commander";
import { openApi } from "../api.ts";
import { addCommonFlags, type Choose, type CommonFlags, wholeNumber } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { describeCondition, evaluateGate, type GateFlags } from "../gate.ts";
import { openActions } from "../github.ts";
import { printResult } from "../output.ts";
import { openReports, readReportTarget, type ReportTarget } from "../reports.ts";
import { readSettings, readTargetHeaders } from "../settings.ts";
import { formatCheckReport } from "../views/check-report.ts";
import { cleanText } from "../views/clean.ts";
import { checkRows } from "../views/rows.ts";

interface CheckFlags extends CommonFlags, GateFlags {
  readonly preview?: true;
  readonly report?: readonly ReportTarget[];
  /** False where `--no-fail` is given. */
  readonly fail: boolean;
}

const EXAMPLES = `
Each check takes one slot of the month's quota; a retry after a lost connection
takes no second one. With --min-score the command exits 1 when the score is
lower, and 4 when the verdict is inconclusive. The reports are written all the
same.

Examples:
  shipscore check https://example.com/
  shipscore check https://example.com/ --min-score 80
  shipscore check "$PREVIEW_URL" --preview --json > check.json
  shipscore check "$PREVIEW_URL" --min-score 80 --report junit=junit.xml
`;

const REPORT_HELP = "also write a report: json, markdown, junit, sarif, gitlab or html; repeatable";

export function declareCheck(command: Command, choose: Choose): void {
  addCommonFlags(
    command
      .argument("<url>")
      .option("--min-score <n>", "exit 1 when the score is lower", wholeNumber(0, 100))
      .option("--no-fail", "exit 0 whatever the gate says; errors keep their code")
      .option("--preview", "the page is a preview deployment, where a noindex is expected")
      .option("--report <format=file>", REPORT_HELP, readReportTarget),
  )
    .addHelpText("after", EXAMPLES)
    .action((url: string, flags: CheckFlags) =>
      choose(flags, (context) => runCheck(context, url, flags)),
    );
}

async function runCheck(
  { io, version, ...context }: Context,
  url: string,
  flags: CheckFlags,
): Promise<ExitCode> {
  const settings = readSettings(context.env, flags);
  const headers = readTargetHeaders(context.env);
  const reports = openReports(flags.report);
  const actions = openActions(context.env, io);
  const api = openApi(settings, { io, version, ...context });
  const request = { url, preview: flags.preview ?? false, headers };
  const check = await io.showProgress(`Checking ${cleanText(url)}`, () => api.check(request));
  const gate = evaluateGate(check, flags);

  await printResult(io, flags, check, {
    rows: checkRows,
    page: (clean, screen) => formatCheckReport(clean, gate, settings.baseUrl, screen),
  });
  if (flags.json || io.screen === null)
    for (const condition of gate.conditions)
      await io.note(cleanText(`shipscore: ${describeCondition(condition)}.`));
  const { baseUrl, language } = settings;
  const about = { baseUrl, language, version, now: context.now() };
  await reports.write([{ url, check, gate }], about);
  await actions?.write([{ url, check, gate }], about);
  return flags.fail ? gate.exitCode : EXIT.done;
}
