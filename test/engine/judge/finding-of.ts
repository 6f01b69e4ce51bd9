import type { Finding } from "../../../shared/check.ts";
import type { Language } from "../../../shared/language.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { judge, type Judged, scoreOf } from "../../../server/engine/judge/score.ts";

/** Judges by one rule and those that may block it, which takes a fraction of what judging by all of them does. */
export function judgeBy(id: string, evidence: Evidence): Judged {
  const ids = new Set([id]);
  // The walk comes to what is added on the way, too.
  for (const each of ids) for (const parent of listBlockers(each, evidence)) ids.add(parent);
  return judge(evidence, { ...RULESET, rows: RULESET.rows.filter((row) => ids.has(row.id)) });
}

function listBlockers(id: string, evidence: Evidence): readonly string[] {
  const rule = RULESET.rows.find((row) => row.id === id)?.rule;
  return [...(rule?.parents(evidence) ?? []), ...(rule?.yieldsTo ? [rule.yieldsTo] : [])];
}

/** What one rule finds. */
export function getFinding(id: string, evidence: Evidence, language: Language = "en"): Finding {
  const { findings } = scoreOf(judgeBy(id, evidence), language);
  const finding = findings.find((one) => one.id === id);
  if (!finding) throw new Error(`no finding for ${id}`);
  return finding;
}
