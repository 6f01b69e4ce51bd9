import type { FindingStatus } from "../../../shared/check.ts";
import type { Text } from "../../../shared/language.ts";
import type { Evidence } from "../evidence/evidence.ts";

/** What a rule rests on, and where it is to be read. */
interface Standard {
  readonly name: string;
  readonly url: string;
}

/** A section of an RFC, or all of it. */
export function rfc(number: number, section?: string): Standard {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}`;
  if (section === undefined) return { name: `RFC ${number}`, url };
  return { name: `RFC ${number}, ${section}`, url: `${url}#section-${section}` };
}

/** A success criterion of WCAG, by its number and its anchor. */
export function wcag(criterion: string, anchor: string): Standard {
  return { name: `WCAG 2.2, ${criterion}`, url: `https://www.w3.org/TR/WCAG22/#${anchor}` };
}

/** A part of HTML, by its name, since its sections change their numbers. */
export function htmlPart(name: string, page: string, anchor: string): Standard {
  return {
    name: `HTML, ${name}`,
    url: `https://html.spec.whatwg.org/multipage/${page}.html#${anchor}`,
  };
}

/** What to do, and the headers, elements or directives to paste for it. */
export interface Fix extends Text {
  readonly lines?: readonly string[];
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
  readonly why: Text;
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
/** Six letters and digits in a row that a mask is made of (`server/engine/requests/privacy/hide.ts`); few words are. */
const MASKED = /\*{3}|(?:[ax0][^a-z\d]*){6}/i;

/** Whether a line can be pasted as it is: whole, of ASCII, with nothing masked. */
function isPasteable(line: string): boolean {
  return ONE_LINE.test(line) && !MASKED.test(line);
}

/** Adds a line to paste, unless it could not be pasted as it is. */
export function addLine(fix: Fix, line: string): Fix {
  return isPasteable(line) ? { ...fix, lines: [...(fix.lines ?? []), line] } : fix;
}

/** The fix, followed by another sentence and its lines. */
export function followFix({ fr, en, lines = [] }: Fix, next: Fix): Fix {
  const all = [...lines, ...(next.lines ?? [])];
  const words = { fr: `${fr} ${next.fr}`, en: `${en} ${next.en}` };
  return all.length > 0 ? { ...words, lines: all } : words;
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
