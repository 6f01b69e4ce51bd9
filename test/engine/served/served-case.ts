import type { FindingStatus } from "../../../shared/check.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import type { SiteEdit } from "./good-site.ts";

/** A finding's status, with the grade of a partial one. */
export type ExpectedOutcome = Exclude<FindingStatus, "partial"> | `partial ${string}`;

export type Outcomes = Readonly<Record<string, ExpectedOutcome>>;

/** One edit of the good site, and every finding that is then not what the good site gets. */
export type ServedCase = readonly [why: string, edit: SiteEdit, differs: Outcomes];

/** A served case with what the handshake showed of itself; a name of test/cases/tls.json comes first. */
export type CertificateCase = readonly [
  name: string,
  edit: SiteEdit,
  facts: object,
  differs: Outcomes,
];

const DAY_MS = 86_400_000;

export function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}

/** TLS options of a server that takes what OpenSSL holds for too weak. */
export const WEAK_TLS = { ciphers: "DEFAULT@SECLEVEL=0" };

/** The same outcome for all rules of these ids, or whose ids start so. */
export function all(outcome: ExpectedOutcome, ...starts: readonly string[]): Outcomes {
  const ids = RULESET.rows
    .map(({ id }) => id)
    .filter((id) => starts.some((start) => id.startsWith(start)));
  return Object.fromEntries(ids.map((id) => [id, outcome]));
}

/** The outcome of the rules that read the page's HTML. */
export const allOfHtml = (outcome: ExpectedOutcome): Outcomes => ({
  ...all(outcome, "reach.page", "html.", "seo.", "asset.", "link.", "perf.weight", "perf.files"),
  "seo.robots": "pass",
});

/** The outcome of the rules that read the page's answer. */
export const allOfAnswer = (outcome: ExpectedOutcome): Outcomes => ({
  ...allOfHtml(outcome),
  ...all(outcome, "reach.html", "hdr.", "cookie.", "perf."),
  "perf.http2": "pass",
});

/** The outcome of the rules that need the page's own request to end in an answer. */
export const allOfRequest = (outcome: ExpectedOutcome): Outcomes => ({
  ...allOfAnswer(outcome),
  ...all(outcome, "reach.status", "reach.leak", "redir.chain", "redir.domain"),
});
