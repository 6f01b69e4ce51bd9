import type { Text } from "../language.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { judgeEvidence, judgeRows, scoreEvidence } from "./score.ts";
import { RULESET } from "./ruleset.ts";

/** How a look at a URL ended. `inconclusive` neither adds to a series of failed or good looks nor ends it. */
export type LookOutcome = "good" | "failed" | "inconclusive";

/** One look at a watched URL: how it ended, why it failed if it did, and the page's score if it could be judged. */
export interface Look {
  outcome: LookOutcome;
  reason: Text | null;
  score: number | null;
}

/** The rules whose failure means that visitors do not get the page, in the order of a request. */
const VITAL = ["reach.dns", "reach.connect", "tls.chain", "tls.hostname", "reach.status"];
/** Redirects that lead nowhere. One to a place that may not be visited leaves the look inconclusive. */
const ENDLESS = new Set(["loop", "too_many"]);

/** Judges what one visit saw; pure. `judged`: the result of `judgeRows` for the same evidence, if known. */
export function judgeLook(evidence: Evidence, judged = judgeRows(evidence)): Look {
  const { score, verdict } = scoreEvidence(evidence, "fr", RULESET, judged);
  const judgements = judgeEvidence(evidence, judged);
  const isEndless = evidence.page.stop !== null && ENDLESS.has(evidence.page.stop.reason);
  const failing =
    VITAL.find((id) => judgements.get(id)?.status === "fail") ?? (isEndless && "redir.chain");
  const known = { score: verdict === "inconclusive" ? null : score };
  if (failing)
    return { ...known, outcome: "failed", reason: firstSentence(judgements.get(failing)?.seen) };
  const isGood = judgements.get("reach.status")?.status === "pass";
  return { ...known, outcome: isGood ? "good" : "inconclusive", reason: null };
}

function firstSentence(seen: Text | undefined): Text | null {
  if (seen === undefined) return null;
  const [fr = ""] = seen.fr.split(/(?<=[.!?]) /);
  const [en = ""] = seen.en.split(/(?<=[.!?]) /);
  return { fr, en };
}
