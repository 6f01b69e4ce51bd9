import type { Evidence } from "../evidence/evidence.ts";
import { findAnswer, headerValues } from "../evidence/accessors.ts";
import type { Timings } from "../../../shared/check.ts";
import type { Text } from "../../../shared/language.ts";
import { LIMIT_STATUSES, readRetryAfter } from "../../base/syntax/http.ts";
import { findSignIn } from "./facts/domains.ts";
import { isOwnFault } from "./own-fault.ts";
import { type Judged, scoreOf } from "./score.ts";
import { cut } from "./rule.ts";
import { RULESET, type Ruleset } from "./ruleset.ts";

/** `inconclusive` neither continues nor ends a series of failed or good probes. */
export type LookOutcome = "good" | "failed" | "inconclusive";

/** Unknown values are null. */
export interface Seen {
  rule: string | null;
  status: number | null;
  /** The code of Node or OpenSSL, or why the host was refused. */
  failure: string | null;
  /** The IP address that responded or was tried. */
  address: string | null;
  timings: Timings;
}

export interface Look {
  outcome: LookOutcome;
  reason: Text | null;
  /** Null unless this was a full check of a page that could be assessed. */
  score: number | null;
  /** A failure without a complete response may come from this machine's network. */
  isAnswered: boolean;
  /** This server could not probe the URL, so the result says nothing about the site. */
  isOwnFault: boolean;
  /** The time from the last request to the first byte of its response. */
  firstByteMs: number | null;
  /** The Retry-After of a 429 or 503, at most an hour. */
  retryAfterSeconds: number | null;
  /** An inconclusive probe opens and closes no incident. */
  seen: Seen | null;
}

export const NO_LOOK: Look = {
  outcome: "inconclusive",
  reason: null,
  score: null,
  isAnswered: false,
  isOwnFault: true,
  firstByteMs: null,
  retryAfterSeconds: null,
  seen: null,
};

/** If one of these rules fails, visitors do not get the page. The order is that of a request. */
const VITAL = ["reach.dns", "reach.connect", "tls.chain", "tls.hostname", "reach.status"];
/** These rules also fail if another machine on the network responds instead of the site, with its own certificate. */
const UNANSWERED: readonly (string | undefined)[] = VITAL.slice(0, -1);
const LOOK_RULES = new Set([...VITAL, "redir.chain", "tls.intermediate"]);
export const LOOK_RULESET: Ruleset = {
  ...RULESET,
  rows: RULESET.rows.filter(({ id }) => LOOK_RULES.has(id)),
};
/**
 * Excludes a redirect to a URL that the check may not visit, unless browsers cannot parse it either. Such a redirect
 * makes the probe inconclusive.
 */
const ENDLESS = new Set(["loop", "too_many", "headers"]);
const MAX_RETRY_AFTER_SECONDS = 3600;

/** Pure. The ruleset must contain `LOOK_RULESET`. */
export function lookOf({ evidence, rows }: Judged): Look {
  const judgements = new Map(rows.map(({ row, judgement }) => [row.id, judgement]));
  const { stop, failure, timings } = evidence.page;
  const cannotTell = isOwnFault(evidence);
  const isRefused = stop?.refusal === "unparseable";
  const isEndless = isRefused || (stop !== null && ENDLESS.has(stop.reason));
  const failed =
    VITAL.find((id) => judgements.get(id)?.status === "fail") ??
    (isEndless ? "redir.chain" : undefined);
  const failing = cannotTell ? undefined : failed;
  const isGood = judgements.get("reach.status")?.status === "pass" || findSignIn(evidence);
  const { firstByteMs } = timings;
  const outcome = failing ? "failed" : isGood ? "good" : "inconclusive";
  return {
    outcome,
    reason: failing ? firstSentence(judgements.get(failing)?.found) : null,
    score: null,
    isAnswered: failure === null && !UNANSWERED.includes(failed),
    isOwnFault: cannotTell,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    retryAfterSeconds: findRetryAfter(evidence),
    seen: outcome === "inconclusive" ? null : seenOf(evidence, failing ?? null),
  };
}

const LONGEST_CODE = 80;

function seenOf(evidence: Evidence, rule: string | null): Seen {
  const { hops, failure, timings } = evidence.page;
  const last = hops.at(-1);
  const code = failure?.code ?? evidence.dns.refusal;
  return {
    rule,
    status: failure ? null : (last?.status ?? null),
    failure: code ? cut(code, LONGEST_CODE) : null,
    address: last?.address ?? evidence.dns.addresses[0] ?? null,
    timings,
  };
}

export function verifiedLookOf(judged: Judged): Look {
  const { score, verdict } = scoreOf(judged, "fr");
  const look = lookOf(judged);
  return { ...look, score: verdict === "inconclusive" || look.isOwnFault ? null : score };
}

function findRetryAfter(evidence: Evidence): number | null {
  const answer = findAnswer(evidence);
  if (!answer || !LIMIT_STATUSES.includes(answer.status)) return null;
  const [value = ""] = headerValues(answer.headers, "retry-after");
  const seconds = readRetryAfter(value, new Date(evidence.checkedAt));
  return seconds === undefined ? null : Math.min(seconds, MAX_RETRY_AFTER_SECONDS);
}

function firstSentence(found: Text | undefined): Text | null {
  if (found === undefined) return null;
  const [fr = ""] = found.fr.split(/(?<=[.!?]) /);
  const [en = ""] = found.en.split(/(?<=[.!?]) /);
  return { fr, en };
}
