import { Check } from "../../shared/check.ts";
import type { Language } from "../language.ts";
import type { Evidence } from "../probe/evidence.ts";
import { scoreEvidence } from "./score.ts";
import * as z from "zod";

/** A check without the quota that it was counted on: what a deployment's verification keeps. */
const UncountedCheck = Check.omit({ quota: true });
export type UncountedCheck = z.infer<typeof UncountedCheck>;

/** The answer that evidence gives; nothing passes that the schema does not name. */
export function answerOf(id: string, evidence: Evidence, language: Language): UncountedCheck {
  return UncountedCheck.parse({
    id,
    url: evidence.url,
    finalUrl: evidence.page.hops.at(-1)?.url ?? evidence.url,
    preview: evidence.preview,
    ...scoreEvidence(evidence, language),
    timings: evidence.page.timings,
    checkedAt: evidence.checkedAt,
    durationMs: evidence.durationMs,
  });
}
