import type { Checked } from "../checked.ts";
import { formatJson } from "../views/json.ts";
import { urlOf } from "./costs.ts";

function valueOf(checked: Checked): unknown {
  if ("check" in checked) return checked.check;
  const { message, exitCode } = checked.error;
  return { url: urlOf(checked), error: message, exitCode };
}

/** The API's own value, as `--json` prints it; `{"checks": [...]}` for several pages. */
export function formatJsonReport(checked: readonly Checked[]): string {
  const values = checked.map(valueOf);
  return formatJson(values.length === 1 ? values[0] : { checks: values });
}
