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

/** How a look at a URL ended. `inconclusive` neither adds to a series of failed or good looks nor ends it. */
export type LookOutcome = "good" | "failed" | "inconclusive";

/** What a look saw of its page, in brief: what is not known is null. */
export interface Seen {
  /** The id of the rule that failed. */
  rule: string | null;
  status: number | null;
  /** Node's or OpenSSL's code of what failed, or why the name was refused. */
  failure: string | null;
  /** That of the server that answered, or was asked. */
  address: string | null;
  timings: Timings;
}

/** One look at a watched URL: how it ended, and why it failed if it did. */
export interface Look {
  outcome: LookOutcome;
  reason: Text | null;
  /** The score, if this was a verification and its page could be judged. */
  score: number | null;
  /** Whether the site itself answered, to the end: a failure without an answer may be that of this machine's network. */
  isAnswered: boolean;
  /** Whether this server could not look, which says nothing about the site. */
  isOwnFault: boolean;
  /** From the last request to the first byte of its answer. */
  firstByteMs: number | null;
  /** For how long a 429 or a 503 asked not to be asked again; an hour at most. */
  retryAfterSeconds: number | null;
  /** Null for an inconclusive look, which opens and closes no incident. */
  seen: Seen | null;
}

/** A look that this server could not make. */
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

/** The rules whose failure means that visitors do not get the page, in the order of a request. */
const VITAL = ["reach.dns", "reach.connect", "tls.chain", "tls.hostname", "reach.status"];
/** Rules that fail if something in between answers in the site's place; its certificate is not the site's either. */
const UNANSWERED: readonly (string | undefined)[] = VITAL.slice(0, -1);
const LOOK_RULES = new Set([...VITAL, "redir.chain", "tls.intermediate"]);
/** The vital rules, and those on which their judgement depends. */
export const LOOK_RULESET: Ruleset = {
  ...RULESET,
  rows: RULESET.rows.filter(({ id }) => LOOK_RULES.has(id)),
};
/** Redirects that lead nowhere. One to a place that may not be visited leaves the look inconclusive. */
const ENDLESS = new Set(["loop", "too_many"]);
const MAX_RETRY_AFTER_SECONDS = 3600;

/** The look that a visit was; pure. It was judged by `LOOK_RULESET`, or by one that contains it. */
export function lookOf({ evidence, rows }: Judged): Look {
  const judgements = new Map(rows.map(({ row, judgement }) => [row.id, judgement]));
  const { stop, failure, timings } = evidence.page;
  const cannotTell = isOwnFault(evidence);
  const isEndless = stop !== null && ENDLESS.has(stop.reason);
  const failed =
    VITAL.find((id) => judgements.get(id)?.status === "fail") ??
    (isEndless ? "redir.chain" : undefined);
  const failing = cannotTell ? undefined : failed;
  const isGood = judgements.get("reach.status")?.status === "pass" || findSignIn(evidence);
  const { firstByteMs } = timings;
  const outcome = failing ? "failed" : isGood ? "good" : "inconclusive";
  return {
    outcome,
    reason: failing ? firstSentence(judgements.get(failing)?.seen) : null,
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

/** The look that a verification was, with the page's score. */
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

function firstSentence(seen: Text | undefined): Text | null {
  if (seen === undefined) return null;
  const [fr = ""] = seen.fr.split(/(?<=[.!?]) /);
  const [en = ""] = seen.en.split(/(?<=[.!?]) /);
  return { fr, en };
}
