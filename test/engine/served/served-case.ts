import type { FindingStatus } from "../../../shared/check.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import type { Answer, Route, SiteEdit } from "./good-site.ts";

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

/** Words of the good page, and what stands in their place. */
export const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
/** Markup before the good page's heading. */
export const add = (markup: string): SiteEdit => words("<h1>", `${markup}<h1>`);
export const page = (headers: NonNullable<Answer["headers"]>): SiteEdit => ({ page: { headers } });
export const route = (path: string, answer: Route): SiteEdit => ({ routes: { [path]: answer } });
export const to = (location: string, status = 301): Answer => ({ status, headers: { location } });

export const NOTHING: Outcomes = {};

type SiteEdits<E> = Readonly<Record<string, E>>;

/** Edits that all lead to the same findings. */
export const served = (differs: Outcomes, edits: SiteEdits<SiteEdit>): ServedCase[] =>
  Object.entries(edits).map(([why, edit]) => [why, edit, differs]);

/** Edits by the findings that they change, parted by spaces, and what these then are. */
export const charged = (
  table: Readonly<Record<string, { readonly [outcome in ExpectedOutcome]?: SiteEdits<SiteEdit> }>>,
): ServedCase[] =>
  Object.entries(table).flatMap(([ids, outcomes]) =>
    Object.entries(outcomes).flatMap(([outcome, edits = {}]) =>
      served(all(outcome as ExpectedOutcome, ...ids.split(" ")), edits),
    ),
  );

/** Edits with what the handshake showed that all lead to the same findings. */
export const handshaken = (
  differs: Outcomes,
  edits: SiteEdits<readonly [edit: SiteEdit, facts: object]>,
): CertificateCase[] =>
  Object.entries(edits).map(([name, [edit, facts]]) => [name, edit, facts, differs]);

export const DAY_MS = 86_400_000;

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
