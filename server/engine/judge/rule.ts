import type { FindingStatus } from "../../../shared/check.ts";
import type { Text } from "../../base/language.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Standard } from "./standards.ts";

/** What to do; `line` is the one header, element or directive to paste, if there is one. */
export interface Fix extends Text {
  readonly line?: string;
}

/**
 * What a rule says about a page. `grade` names the row's partial points, and is given with `partial` only.
 * `seen` says what was seen; `fix`, what to do about this page if the rule's own fix is too general.
 */
export interface Judgement {
  readonly status: FindingStatus;
  readonly seen: Text;
  readonly grade?: string;
  readonly fix?: Fix;
}

/** A rule: a pure function of the evidence, and its texts. The ruleset gives its points and cap. */
export interface Rule {
  readonly id: string;
  readonly title: Text;
  readonly measures: Text;
  readonly matters: Text;
  readonly fix: Fix;
  readonly standard: Standard;
  /** Why a failure caps the score; given if the row has a cap. */
  readonly capReason?: Text;
  /** The ids of the rules whose failure blocks this one, and whose `unknown` makes it unknown. */
  readonly parents: (evidence: Evidence) => readonly string[];
  readonly judge: (evidence: Evidence) => Judgement;
}

const SEEN_MAX_LENGTH = 300;

const ONE_LINE = /^[\x20-\x7e]{1,1000}$/;
/** Six letters and digits in a row that a mask is made of (`server/engine/requests/privacy/mask.ts`); few words are. */
const MASKED = /\*{3}|(?:[abxz01][^a-z\d]*){6}/i;

/** Whether a line can be pasted as it is: whole, of ASCII, with nothing masked. */
function isPasteable(line: string): boolean {
  return ONE_LINE.test(line) && !MASKED.test(line);
}

/** The fix with its line; without one that could not be pasted as it is. */
export function withLine(fix: Text, line: string): Fix {
  return isPasteable(line) ? { ...fix, line } : fix;
}

/** Words that are the same in both languages, such as a quotation from the site. */
export const sameText = (words: string): Text => ({ fr: words, en: words });

/** A quotation from the site as a sentence. */
export const verbatim = (words: string): Text => sameText(`${words}.`);

export function pass(seen: Text): Judgement {
  return { status: "pass", seen };
}

export function notApplicable(seen: Text): Judgement {
  return { status: "not_applicable", seen };
}

export function unknown(seen: Text, fix?: Fix): Judgement {
  return fix ? { status: "unknown", seen, fix } : { status: "unknown", seen };
}

export function partial(grade: string, seen: Text, fix?: Fix): Judgement {
  return fix ? { status: "partial", grade, seen, fix } : { status: "partial", grade, seen };
}

export function fail(seen: Text, fix?: Fix): Judgement {
  return fix ? { status: "fail", seen, fix } : { status: "fail", seen };
}

/** A value from the site on one line, cut to `maxLength` UTF-16 code units. */
export function cut(value: string, maxLength = SEEN_MAX_LENGTH): string {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length > maxLength
    ? `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`
    : line;
}

/** The parents of a rule that only reads requests of its own, which a visit that was given up never made. */
export const ownAnswer = ({ page }: Evidence): readonly string[] => [
  page.failure?.phase === "check" ? "reach.connect" : "reach.dns",
];

/** The parents of a rule that reads the page's answer. */
export const pageAnswer = (): readonly string[] => ["reach.status"];

/** The parents of a rule that reads the page's HTML. */
export const pageHtml = (): readonly string[] => ["reach.html"];
