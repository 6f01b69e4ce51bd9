import { FIELDS } from "../client/received.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { listOf, objectOf } from "../terminal/field.ts";
import type { Checked, GatedCheck, Unchecked } from "./checked.ts";
import type { Gate } from "./gate.ts";

/** The fields of a check as JSON, and those of a list of checks. */
export const CHECK_FIELDS = objectOf({
  ...FIELDS.check.members,
  gate: objectOf({ met: {}, conditions: listOf(objectOf({ asked: {}, met: {}, text: {} })) }),
});
export const LIST_FIELDS = objectOf({
  checks: listOf(CHECK_FIELDS),
  errors: listOf(objectOf({ url: {}, exitCode: {}, error: {} })),
});

/** A gate as JSON: its conditions, and whether all are met; undefined without conditions. */
export function describeGate({ conditions, exitCode }: Gate) {
  if (conditions.length === 0) return undefined;
  return {
    met: exitCode === EXIT.done,
    conditions: conditions.map(({ asked, isMet, text }) => ({ asked, met: isMet, text })),
  };
}

/** A check as JSON: the API's own value, with `gate` where there are conditions. */
export function describeCheck({ check, gate }: GatedCheck): object {
  const described = describeGate(gate);
  return described ? { ...check, gate: described } : check;
}

/** Several URLs as JSON: `checks`, and `errors` for the URLs that could not be checked, where there are any. */
export function describeList(checked: readonly Checked[]): object {
  const checks = checked.flatMap((one) => ("check" in one ? [describeCheck(one)] : []));
  const errors = checked.flatMap((one) => ("error" in one ? [describeUnchecked(one)] : []));
  return errors.length > 0 ? { checks, errors } : { checks };
}

/** A URL without a check as JSON: the reason, and the exit code that stands for it. */
export function describeUnchecked({ url, error }: Unchecked): object {
  return { url, exitCode: error.exitCode, error: error.message };
}
