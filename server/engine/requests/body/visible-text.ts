import type { Html } from "../../evidence/html.ts";
import { Depth, Enclosure } from "./nesting.ts";
import { isHidden, type Tag } from "./html-tokens.ts";
import { MAX_SHOWN } from "./page-texts.ts";
import { redactUrlsIn } from "../privacy/redact.ts";

const SPACE = 32;
const LAST_ASCII = 127;
/** Characters that show nothing: no-break space, soft hyphen, zero-width spaces and direction marks. */
const UNSEEN = new Set([0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff]);

interface Folded {
  length: number;
  isAfterSpace: boolean;
  isBeforeSpace: boolean;
}

const FOLDED_SPACE: Folded = { length: 0, isAfterSpace: true, isBeforeSpace: true };

export function fold(text: string): Folded {
  let length = 0;
  let isAfterSpace = false;
  let isInSpace = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isSpace = code <= SPACE || (code > LAST_ASCII && UNSEEN.has(code));
    if (isSpace && length === 0) isAfterSpace = true;
    else if (!isSpace) length += isInSpace && length > 0 ? 2 : 1;
    isInSpace = isSpace;
  }
  return { length, isAfterSpace, isBeforeSpace: isInSpace };
}

export class TextCounter {
  length = 0;
  #isInSpace = false;

  add({ length, isAfterSpace, isBeforeSpace }: Folded): void {
    if (length > 0) {
      if (this.length > 0 && (this.#isInSpace || isAfterSpace)) this.length += 1;
      this.length += length;
      this.#isInSpace = isBeforeSpace;
    } else if (isAfterSpace) this.#isInSpace = true;
  }
}

export class TextRegions {
  readonly #page: string;
  readonly #offsets: number[] = [];

  constructor(page: string) {
    this.#page = page;
  }

  add(start: number, end: number): void {
    if (this.#offsets.at(-1) === start) this.#offsets[this.#offsets.length - 1] = end;
    else if (end > start) this.#offsets.push(start, end);
  }

  get text(): string {
    let text = "";
    for (let at = 0; at < this.#offsets.length; at += 2)
      text += this.#page.slice(this.#offsets[at], this.#offsets[at + 1]);
    return text;
  }
}

const MAX_START = 1000;
const MAX_RAW_START = 4000;
const MAX_HEADINGS = 3;
const MAX_HEADING_LENGTH = 120;
const MAX_RAW_HEADING_LENGTH = 1000;
const MAX_INDENT = 8;

const LINES = new Set(
  (
    "address article aside blockquote body br dd details dialog div dl dt fieldset figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table td th tr ul"
  ).split(" "),
);
const HEADINGS = new Set("h1 h2 h3 h4 h5 h6".split(" "));
const FRAMES = new Set("nav footer aside".split(" "));
const CONTROLS = new Set([...FRAMES, ...HEADINGS, ..."header button label select".split(" ")]);
/** These elements end an unclosed link. */
const AFTER_LINK = new Set("p li td h1 h2 h3 h4 h5 h6".split(" "));

function foldSpace(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, (run) => {
    const lineStart = run.lastIndexOf("\n") + 1;
    const indent = " ".repeat(Math.min(run.length - lineStart, MAX_INDENT));
    return lineStart > 0 ? `\n${indent}` : indent;
  });
}

/** Joined only on reading, because a page has thousands of pieces. */
class Lines {
  readonly #pieces: string[] = [];
  length = 0;

  get text(): string {
    return this.#pieces.join("");
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  break(): void {
    if (!this.#pieces.at(-1)?.endsWith("\n")) this.add("\n");
  }
}

/** The facts of a page that is hidden as a whole and has no script to show it. */
export const NOTHING = { textLength: 0, imageCount: 0, shownCount: 0, elementCount: 0 };

export class VisibleText {
  isPageHidden = false;
  #headingCount = 0;
  readonly #headings: string[] = [];
  readonly #all = new TextCounter();
  readonly #prose = new TextCounter();
  readonly #controls = new Depth(CONTROLS);
  readonly #frames = new Depth(FRAMES);
  readonly #shown = new Lines();
  readonly #start = new Lines();
  readonly #hidden = new Enclosure();
  #lengthBefore = 0;
  #proseBefore = 0;
  #hiddenLength = 0;
  #hiddenProse = 0;
  #isInLink = false;
  #heading: string | null = null;

  /** Excludes hidden elements that have ended. */
  get length(): number {
    return this.#all.length - this.#hiddenLength;
  }

  get isHidden(): boolean {
    return this.#hidden.isInside;
  }

  get shown(): string {
    return this.#shown.text;
  }

  getFacts(): Pick<Html, "textLength" | "proseLength" | "text" | "headings" | "headingCount"> {
    return {
      textLength: this.length,
      proseLength: this.#prose.length - this.#hiddenProse,
      text: this.#readStart(),
      headings: this.#headings,
      headingCount: this.#headingCount,
    };
  }

  #readStart(): string {
    const lines = this.#start.text.split("\n");
    const kept = lines.map((line) => redactUrlsIn(line, MAX_START)).filter((line) => line !== "");
    return kept
      .join("\n")
      .slice(0, MAX_START)
      .replace(/\p{Cs}$/u, "");
  }

  add(text: string): void {
    const folded = fold(text);
    this.#all.add(folded);
    if (!this.#isInLink && !this.#controls.isInside) this.#prose.add(folded);
    if (this.#start.length < MAX_RAW_START)
      this.#start.add(text.slice(0, MAX_RAW_START).replace(/\s+/g, " "));
    if (this.#shown.length < MAX_SHOWN)
      this.#shown.add(foldSpace(text.slice(0, MAX_SHOWN - this.#shown.length)));
    if (this.#heading !== null && this.#heading.length < MAX_RAW_HEADING_LENGTH)
      this.#heading += text.slice(0, MAX_RAW_HEADING_LENGTH);
  }

  enter(tag: Tag): void {
    const { name } = tag;
    this.#breakLine(name);
    if (name === "html" || name === "body") this.isPageHidden ||= isHidden(tag);
    else if (this.#hidden.enter(name, name !== "img" && isHidden(tag))) {
      this.#lengthBefore = this.#all.length;
      this.#proseBefore = this.#prose.length;
    }
    if (name === "a") this.#isInLink = true;
    this.#controls.enter(name);
    this.#frames.enter(name);
    if (HEADINGS.has(name) && !this.#frames.isInside) {
      this.#headingCount += 1;
      this.#heading = "";
    }
  }

  leave(name: string): void {
    this.#breakLine(name);
    if (this.#hidden.leave(name)) {
      this.#hiddenLength += this.#all.length - this.#lengthBefore;
      this.#hiddenProse += this.#prose.length - this.#proseBefore;
    }
    if (name === "a") this.#isInLink = false;
    this.#controls.leave(name);
    this.#frames.leave(name);
    if (!HEADINGS.has(name) || this.#heading === null) return;
    const heading = redactUrlsIn(this.#heading, MAX_HEADING_LENGTH);
    if (heading !== "" && this.#headings.length < MAX_HEADINGS) this.#headings.push(heading);
    this.#heading = null;
  }

  #breakLine(name: string): void {
    if (AFTER_LINK.has(name)) this.#isInLink = false;
    if (!LINES.has(name) || this.#shown.length >= MAX_SHOWN) return;
    this.#start.break();
    this.#shown.break();
    this.#prose.add(FOLDED_SPACE);
    if (this.#heading !== null) this.#heading += " ";
  }
}
