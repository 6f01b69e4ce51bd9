import type { UncountedCheck } from "../../../shared/check.ts";
import {
  describePageAnswers,
  unpackEvidence,
  type PageAnswers,
} from "../evidence/packed-evidence.ts";
import { compareResults, type Changes } from "../judge/changes.ts";
import { findRuleset, RULESET, type Ruleset, RULESETS } from "../judge/ruleset.ts";
import { scoreEvidence } from "../judge/score.ts";
import type { Language } from "../../../shared/language.ts";
import { composeCheck } from "./check-body.ts";

export interface StoredEvidence {
  id: string;
  evidence: Uint8Array;
  language: Language;
  ruleset?: string | undefined;
}

export interface JudgedAgain {
  check: UncountedCheck;
  seen: PageAnswers;
  /** Newest first. */
  rulesets: readonly string[];
  /** Undefined if no ruleset was requested, or if this program does not know the requested one. */
  changes: Changes | undefined;
}

/**
 * Uses the newest ruleset if this program does not know the stored one. Null for evidence of another version. Runs in a
 * check thread, because a page can make this slow.
 */
export async function judgeAgain(
  stored: StoredEvidence,
  rulesets: readonly Ruleset[] = RULESETS,
): Promise<JudgedAgain | null> {
  const { id, language } = stored;
  const unpacked = await unpackEvidence(stored.evidence);
  if (unpacked === undefined) return null;
  const { judged, ...evidence } = unpacked;
  const own = findRuleset(judged?.ruleset ?? "", rulesets) ?? RULESET;
  const requested =
    stored.ruleset === undefined ? undefined : findRuleset(stored.ruleset, rulesets);
  const result = scoreEvidence(evidence, language, own);
  const changes =
    requested && compareResults(result, scoreEvidence(evidence, language, requested), language);
  const versions = rulesets.map(({ version }) => version).toReversed();
  const check = composeCheck(id, evidence, result);
  return { check, seen: describePageAnswers(evidence), rulesets: versions, changes };
}
