import type { FindingStatus } from "../../../shared/check.ts";
import type { Language, Text } from "../../../shared/language.ts";
import type { Noun } from "../../../shared/report/words.ts";
import type { Evidence } from "../evidence/evidence.ts";

interface Standard {
  readonly name: string;
  readonly url: string;
}

export function rfc(number: number, section?: string): Standard {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}`;
  if (section === undefined) return { name: `RFC ${number}`, url };
  return { name: `RFC ${number}, ${section}`, url: `${url}#section-${section}` };
}

export function wcag(criterion: string, anchor: string): Standard {
  return { name: `WCAG 2.2, ${criterion}`, url: `https://www.w3.org/TR/WCAG22/#${anchor}` };
}

/** HTML parts are cited by name, since its section numbers change. */
export function htmlPart(name: string, page: string, anchor: string): Standard {
  return {
    name: `HTML, ${name}`,
    url: `https://html.spec.whatwg.org/multipage/${page}.html#${anchor}`,
  };
}

/** `lines` are the headers, elements or directives to paste. */
export interface Fix extends Text {
  readonly lines?: readonly string[];
}

/**
 * `grade`: the key of the row's partial points; with status `unknown`, the worst possible outcome (`fail` if absent). `fix`: replaces the rule's own fix if that
 * is too general.
 */
export interface Judgement {
  readonly status: FindingStatus;
  readonly found: Text;
  readonly grade?: string;
  readonly fix?: Fix;
}

/** A pure function of the evidence, and the rule's texts. The ruleset contains the points and the cap. */
export interface Rule {
  readonly id: string;
  readonly title: Text;
  readonly measures: Text;
  readonly why: Text;
  readonly fix: Fix;
  readonly standard: Standard;
  /** Required if the rule's row in a ruleset has a cap. */
  readonly capReason?: Text;
  /** If one of these rules fails, this rule is blocked. If one of them is unknown, this rule is unknown. */
  readonly parents: (evidence: Evidence) => readonly string[];
  /** If this rule costs points, it blocks the rule, so that one cause costs once. */
  readonly yieldsTo?: string;
  readonly judge: (evidence: Evidence) => Judgement;
}

const MAX_VALUE_LENGTH = 300;

const ONE_LINE = /^[\x20-\x7e]{1,1000}$/;
/**
 * Matches a mask of `server/engine/requests/privacy/hide.ts`: `***`, or six of the characters `a`, `x` and `0` in a
 * row. Few words contain six.
 */
const MASKED = /\*{3}|(?:[ax0][^a-z\d]*){6}/i;

function isPasteable(line: string): boolean {
  return ONE_LINE.test(line) && !MASKED.test(line);
}

/** Returns `otherwise` if a user could not paste the line. Without it, the words of `fix` must not refer to the line. */
export function addLine(fix: Fix, line: string, otherwise = fix): Fix {
  return isPasteable(line) ? { ...fix, lines: [...(fix.lines ?? []), line] } : otherwise;
}

export function followFix({ fr, en, lines = [] }: Fix, next: Fix): Fix {
  const all = [...lines, ...(next.lines ?? [])];
  const words = { fr: `${fr} ${next.fr}`, en: `${en} ${next.en}` };
  return all.length > 0 ? { ...words, lines: all } : words;
}

export const writeText = (write: (language: Language) => string): Text => ({
  fr: write("fr"),
  en: write("en"),
});

export const DAYS: Noun = { fr: ["jour", "jours"], en: ["day", "days"] };

/** Returns a text whose words are the same in both languages, such as a quotation from the site. */
export const sameText = (words: string): Text => ({ fr: words, en: words });

export const verbatim = (words: string): Text => sameText(`${words}.`);

export function pass(found: Text): Judgement {
  return { status: "pass", found };
}

export function notApplicable(found: Text): Judgement {
  return { status: "not_applicable", found };
}

export function unknown(found: Text, fix?: Fix): Judgement {
  return fix ? { status: "unknown", found, fix } : { status: "unknown", found };
}

/** `worst`: the worst outcome that the unknown may have. Its grade limits the loss. */
export function unknownAtWorst({ grade }: Pick<Judgement, "grade">, found: Text): Judgement {
  return grade === undefined ? unknown(found) : { status: "unknown", grade, found };
}

export function partial(grade: string, found: Text, fix?: Fix): Judgement {
  return fix ? { status: "partial", grade, found, fix } : { status: "partial", grade, found };
}

export function fail(found: Text, fix?: Fix): Judgement {
  return fix ? { status: "fail", found, fix } : { status: "fail", found };
}

/** `maxLength` is in UTF-16 code units. */
export function cut(value: string, maxLength = MAX_VALUE_LENGTH): string {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length > maxLength
    ? `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`
    : line;
}

/** The parent of rules that read only their own requests. A visit that was given up has not sent these requests. */
export const ownAnswer = ({ page }: Evidence): readonly string[] => [
  page.failure?.phase === "check" ? "reach.connect" : "reach.dns",
];

export const pageAnswer = (): readonly string[] => ["reach.status"];

export const pageHtml = (): readonly string[] => ["reach.html"];
