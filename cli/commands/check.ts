import { openApi } from "../api.ts";
import type { CommonFlags, Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { describeCondition, evaluateGate, type GateFlags } from "../gate.ts";
import { printResult } from "../output.ts";
import { readSettings, readTargetHeaders } from "../settings.ts";
import { formatCheckReport } from "../views/check-report.ts";
import { cleanText } from "../views/clean.ts";
import { checkRows } from "../views/rows.ts";

export interface CheckFlags extends CommonFlags, GateFlags {
  readonly preview?: true;
  /** False where `--no-fail` is given. */
  readonly fail: boolean;
}

export async function runCheck(
  { io, ...context }: Context,
  url: string,
  flags: CheckFlags,
): Promise<ExitCode> {
  const settings = readSettings(context.env, flags);
  const headers = readTargetHeaders(context.env);
  const api = openApi(settings, { io, ...context });
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
  return flags.fail ? gate.exitCode : EXIT.done;
}
