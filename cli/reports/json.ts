import { type Checked, valueOf } from "../check/checked.ts";
import { formatJson } from "../terminal/json.ts";
import { urlOf } from "../check/costs.ts";

function describeChecked(checked: Checked): unknown {
  if ("check" in checked) return valueOf(checked);
  const { message, exitCode } = checked.error;
  return { url: urlOf(checked), error: message, exitCode };
}

/** The API's own value and the gate's, as `--json` prints it; `{"checks": [...]}` for several pages. */
export function formatJsonReport(checked: readonly Checked[]): string {
  const values = checked.map(describeChecked);
  return formatJson(values.length === 1 ? values[0] : { checks: values });
}
