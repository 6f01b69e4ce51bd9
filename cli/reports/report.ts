import type { About as AboutReport } from "../../shared/report/markdown.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import type { Checked } from "../check/results.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";
import { cleanText, cleanValue } from "../terminal/json.ts";
import { CliError } from "../terminal/errors.ts";

export interface About extends AboutReport {
  readonly now: Date;
  /** True for several URLs and for `--urls`, even with one URL. */
  readonly isList: boolean;
  /** True if the command ends with an error, not with a result. */
  readonly isEnded: boolean;
}

export type FormatReport = (checked: readonly Checked[], about: About) => string;

/** @throws CliError 74 for a file that cannot be written */
export type WriteReports = (checked: readonly Checked[], about: About) => Promise<void>;

function cleanCheck(check: ReceivedCheck): ReceivedCheck {
  const clean = cleanValue(check);
  return {
    ...clean,
    url: withoutSecrets(clean.url),
    finalUrl: withoutSecrets(clean.finalUrl),
  };
}

/** Page URLs lose the values of their queries. */
export function cleanChecked(checked: Checked): Checked {
  const subject = { url: cleanText(checked.url), as: cleanText(checked.as) };
  if ("check" in checked)
    return {
      ...subject,
      check: cleanCheck(checked.check),
      gate: cleanValue(checked.gate),
      ...(checked.comparison !== undefined && { comparison: cleanValue(checked.comparison) }),
    };
  const { exitCode, what, advice, requestId } = checked.error;
  const error = new CliError(exitCode, cleanValue(what), advice && cleanValue(advice), {
    requestId: requestId === undefined ? undefined : cleanText(requestId),
  });
  return { ...subject, error };
}
