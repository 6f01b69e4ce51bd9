import type { UncountedCheck } from "../../../shared/check.ts";
import { seenOf, unpackEvidence, type Seen } from "../evidence/packed-evidence.ts";
import { compareResults, type Changes } from "../judge/changes.ts";
import { findRuleset, RULESET, type Ruleset, RULESETS } from "../judge/ruleset.ts";
import { scoreEvidence } from "../judge/score.ts";
import type { Language } from "../../../shared/language.ts";
import { composeCheck } from "./check-body.ts";

/** Stored evidence to be judged again: by its own ruleset, and by the one of this version, if one is asked for. */
export interface StoredEvidence {
  id: string;
  evidence: Uint8Array;
  language: Language;
  ruleset?: string | undefined;
}

/** The check as it was judged, and what moves under the ruleset that was asked for. */
export interface JudgedAgain {
  check: UncountedCheck;
  seen: Seen;
  /** The versions that can be asked for, newest first. */
  rulesets: readonly string[];
  /** Undefined if none was asked for, or one that this program does not know. */
  changes: Changes | undefined;
}

/**
 * Judges stored evidence again. One of a ruleset that this program does not know is judged by the newest. It runs in a check
 * thread, since a page can be made so that judging it takes long.
 */
export async function judgeAgain(
  stored: StoredEvidence,
  rulesets: readonly Ruleset[] = RULESETS,
): Promise<JudgedAgain> {
  const { id, language } = stored;
  const { judged, ...evidence } = await unpackEvidence(stored.evidence);
  const own = findRuleset(judged?.ruleset ?? "", rulesets) ?? RULESET;
  const asked = stored.ruleset === undefined ? undefined : findRuleset(stored.ruleset, rulesets);
  const result = scoreEvidence(evidence, language, own);
  const changes =
    asked && compareResults(result, scoreEvidence(evidence, language, asked), language);
  const versions = rulesets.map(({ version }) => version).toReversed();
  const check = composeCheck(id, evidence, result);
  return { check, seen: seenOf(evidence), rulesets: versions, changes };
}
