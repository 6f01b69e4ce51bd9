import { Check, type CheckResult } from "../../shared/check.ts";
import type { Quota } from "../../shared/quota.ts";
import type { Evidence } from "../evidence/evidence.ts";

/** A deployment's check is counted on no quota. */
const UncountedCheck = Check.omit({ quota: true });

/** The answer that evidence and its result give; nothing passes that the schema does not name. */
export function answerOf(
  id: string,
  evidence: Evidence,
  result: CheckResult,
  quota?: Quota,
): Omit<Check, "quota"> {
  const answer = {
    id,
    url: evidence.url,
    finalUrl: evidence.page.hops.at(-1)?.url ?? evidence.url,
    preview: evidence.preview,
    ...result,
    timings: evidence.page.timings,
    checkedAt: evidence.checkedAt,
    durationMs: evidence.durationMs,
  };
  return quota ? Check.parse({ ...answer, quota }) : UncountedCheck.parse(answer);
}
