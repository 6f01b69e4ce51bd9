import { urlOf } from "../check/addresses.ts";
import type { Checked } from "../check/checked.ts";
import { describeCheck, describeList, describeUnchecked } from "../check/json.ts";
import { formatJson } from "../terminal/json.ts";
import type { About } from "./report.ts";

function withoutSecrets(checked: Checked): Checked {
  return "error" in checked ? { ...checked, url: urlOf(checked) } : checked;
}

/** What `--json` prints; for a single URL that could not be checked, its entry in a list's `errors`. */
export function formatJsonReport(checked: readonly Checked[], { isList }: About): string {
  const safe = checked.map(withoutSecrets);
  const [only] = safe;
  if (isList || only === undefined) return formatJson(describeList(safe));
  return formatJson("check" in only ? describeCheck(only) : describeUnchecked(only));
}
