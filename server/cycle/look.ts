import { setTimeout as sleep } from "node:timers/promises";
import type { CheckResult, Finding } from "../../shared/check.ts";
import type { Deps } from "../deps.ts";
import type { Text } from "../language.ts";
import type { Evidence } from "../probe/evidence.ts";
import { scoreEvidence } from "../verify/score.ts";
import { verify } from "../verify/verify.ts";
import type { LookOutcome } from "./incident-rules.ts";

/** One look at a watched URL: how it ended, why when it failed, and the page's score when it could be judged. */
export interface Look {
  outcome: LookOutcome;
  reason: Text | null;
  score: number | null;
}

const SECOND_TRY_MS = 1000;

/** The rules whose failure means that a visitor does not get the page, in the order in which a request meets them. */
const VITAL = ["reach.dns", "reach.connect", "tls.chain", "tls.hostname", "reach.status"];
/** A redirect that leads nowhere; one into a place that may not be visited leaves the look without an answer. */
const ENDLESS = new Set(["loop", "too_many"]);

function judge(evidence: Evidence): Look {
  const french = scoreEvidence(evidence, "fr");
  const english = scoreEvidence(evidence, "en");
  const score = french.verdict === "inconclusive" ? null : french.score;
  const failing = VITAL.find((id) => findingOf(french, id)?.status === "fail");
  const stop = evidence.page.stop;
  const id = failing ?? (stop !== null && ENDLESS.has(stop.reason) ? "redir.chain" : undefined);
  if (id !== undefined) {
    const reason = { fr: sentenceOf(findingOf(french, id)), en: sentenceOf(findingOf(english, id)) };
    return { outcome: "failed", reason, score };
  }
  const good = findingOf(french, "reach.status")?.status === "pass";
  return { outcome: good ? "good" : "inconclusive", reason: null, score };
}

function findingOf(result: CheckResult, id: string): Finding | undefined {
  return result.findings.find((finding) => finding.id === id);
}

function sentenceOf(finding: Finding | undefined): string {
  return finding?.evidence ?? "";
}

async function visitUrl(deps: Deps, url: string): Promise<Evidence> {
  const visit = await deps.probe.vet(url, deps.stopping);
  try {
    return await verify(deps, "look", visit, { url, preview: false, headers: {} });
  } finally {
    visit.close();
  }
}

/** Looks at a URL: one try and, if that failed, one more after a second. A fault of ours is inconclusive. */
export async function lookAt(deps: Deps, url: string): Promise<Look> {
  try {
    const first = judge(await visitUrl(deps, url));
    if (first.outcome !== "failed") return first;
    await sleep(SECOND_TRY_MS, undefined, { signal: deps.stopping });
    return judge(await visitUrl(deps, url));
  } catch (error) {
    if (!deps.stopping.aborted) deps.log.warn({ err: error }, "look not finished");
    return { outcome: "inconclusive", reason: null, score: null };
  }
}
