import { readError } from "../client/received.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { type Checked, type GatedCheck, listGated, type Unchecked } from "./checked.ts";
import type { Gate } from "../../shared/report/gate.ts";

/**
 * A gate as JSON: its conditions, whether all are met, and what is accepted; undefined where there is neither a condition nor
 * anything accepted.
 */
export function describeGate({ conditions, result, accepted }: Gate) {
  if (conditions.length === 0 && accepted === undefined) return undefined;
  return {
    met: result === "met",
    conditions: conditions.map(({ asked, isMet, text }) => ({ asked, met: isMet, text })),
    ...(accepted && { accepted: accepted.findings }),
  };
}

function describeCheck({ check, gate }: GatedCheck): object {
  const described = describeGate(gate);
  return described ? { ...check, gate: described } : check;
}

/** With the server's own sentence, if it gave one. */
function describeUnchecked({ url, error: { exitCode, body, message } }: Unchecked): object {
  const error = readError(body)?.error ?? message;
  return { url: withoutSecrets(url), exitCode, error };
}

/**
 * A run as JSON. One page is the API's own value, with `gate` where there are conditions; without a check, the reason and
 * its exit code. A list holds its `checks`, and `errors` for the pages without one, where there are any.
 */
export function describeRun(checked: readonly Checked[], isList: boolean): object {
  const [only] = checked;
  if (!isList && only) return "check" in only ? describeCheck(only) : describeUnchecked(only);
  const checks = listGated(checked).map(describeCheck);
  const errors = checked.filter((one) => "error" in one).map(describeUnchecked);
  return errors.length > 0 ? { checks, errors } : { checks };
}
