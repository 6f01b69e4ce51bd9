import type { TestServer } from "./server.ts";
import { unpackEvidence } from "../../server/engine/evidence/packed-evidence.ts";
import { findRuleset } from "../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../server/engine/judge/score.ts";

interface StoredCheck {
  id: string;
  answer: string;
  evidence: Buffer;
}

/** Assesses the evidence of every stored check again. Throws unless each result has the stored bytes. */
export async function replayStoredChecks(sql: TestServer["sql"]): Promise<number> {
  const checks = await sql<StoredCheck>`
    select checks.id, coalesce(answer, result_fr) as answer, evidence
    from checks left join scans on check_id = checks.id
    where checks.state = 'done' and coalesce(answer, result_fr) is not null`;
  for (const { id, answer, evidence } of checks) {
    const unpacked = await unpackEvidence(evidence);
    if (!unpacked) throw new Error(`${id} has evidence of another version`);
    const { judged, ...seen } = unpacked;
    const ruleset = judged && findRuleset(judged.ruleset);
    if (!ruleset) throw new Error(`${id} does not name its ruleset`);
    const result = JSON.stringify(scoreEvidence(seen, judged.language, ruleset));
    if (!answer.includes(result.slice(1, -1))) throw new Error(`${id} is judged otherwise now`);
  }
  return checks.length;
}
