import { Check, type CheckResult, UncountedCheck } from "../../../shared/check.ts";
import type { Quota } from "../../../shared/quota.ts";
import type { Evidence } from "../evidence/evidence.ts";

/** Contains only fields of the schema. */
export function composeCheck(
  id: string,
  evidence: Evidence,
  result: CheckResult,
  quota?: Quota,
): UncountedCheck {
  const check: UncountedCheck = {
    id,
    url: evidence.url,
    finalUrl: evidence.page.hops.at(-1)?.url ?? evidence.url,
    preview: evidence.preview,
    ...result,
    timings: evidence.page.timings,
    checkedAt: evidence.checkedAt,
    durationMs: evidence.durationMs,
  };
  return quota ? Check.parse({ ...check, quota }) : UncountedCheck.parse(check);
}
