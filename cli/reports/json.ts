import type { Checked } from "../check/checked.ts";
import { describeRun } from "../check/json.ts";
import { formatJson } from "../terminal/json.ts";
import type { About } from "./report.ts";

/** What `--json` prints; for a single URL that could not be checked, its entry in a list's `errors`. */
export function formatJsonReport(checked: readonly Checked[], { isList }: About): string {
  return formatJson(describeRun(checked, isList));
}
