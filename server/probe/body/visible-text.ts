import { MAX_SHOWN } from "./own-page.ts";
import { redactUrlsIn } from "../privacy/redact.ts";
import { TextCounter } from "./text-counter.ts";

const MAX_START = 1000;
const MAX_RAW_START = 4000;
const MAX_HEADINGS = 3;
const MAX_HEADING_LENGTH = 120;
const MAX_RAW_HEADING_LENGTH = 1000;
const MAX_INDENT = 8;

/** Elements that begin a line, and so does what follows them. */
const LINES = new Set(
  (
    "address article aside blockquote body br dd details dialog div dl dt fieldset figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table td th tr ul"
  ).split(" "),
);
const HEADINGS = new Set("h1 h2 h3 h4 h5 h6".split(" "));
/** What surrounds what a page says. */
const FRAMES = new Set("nav footer aside".split(" "));
/** What a page is entered and left by, besides its prose. */
const CONTROLS = new Set([...FRAMES, ...HEADINGS, ..."header button label select".split(" ")]);
/** Where a link that nobody closed has ended at the latest. */
const AFTER_LINK = new Set("p li td h1 h2 h3 h4 h5 h6".split(" "));

/** Counts how deep in elements of some names a page stands; an end tag without its beginning is passed over. */
class Depth {
  #open = 0;
  readonly #names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  get isInside(): boolean {
    return this.#open > 0;
  }

  enter(name: string): void {
    if (this.#names.has(name)) this.#open += 1;
  }

  leave(name: string): void {
    if (this.#names.has(name) && this.#open > 0) this.#open -= 1;
  }
}

/** Runs of white space are one character, but for the indentation of a line. */
function foldSpace(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, (run) => {
    const lineStart = run.lastIndexOf("\n") + 1;
    const indent = " ".repeat(Math.min(run.length - lineStart, MAX_INDENT));
    return lineStart > 0 ? `\n${indent}` : indent;
  });
}

/** Text that grows by pieces; put together when it is asked for, since a page has thousands. */
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

  /** Ends the line, unless it is over. */
  break(): void {
    if (!this.#pieces.at(-1)?.endsWith("\n")) this.add("\n");
  }
}

/** What a page shows in words: how much of it, how it begins, and what is prose of it. */
export class VisibleText {
  headingCount = 0;
  /** The first of them. */
  readonly headings: string[] = [];
  readonly #all = new TextCounter();
  readonly #prose = new TextCounter();
  readonly #controls = new Depth(CONTROLS);
  readonly #frames = new Depth(FRAMES);
  readonly #shown = new Lines();
  readonly #start = new Lines();
  #isInLink = false;
  #heading: string | null = null;

  /** Characters, white space folded. */
  get length(): number {
    return this.#all.length;
  }

  /** Those outside headings, links, buttons, labels, headers, footers and navigation. */
  get proseLength(): number {
    return this.#prose.length;
  }

  /** From the page's beginning, line by line, the indentation of lines kept. */
  get shown(): string {
    return this.#shown.text;
  }

  /** The first characters of the text, a line for each block and without secrets. */
  get start(): string {
    const lines = this.#start.text.split("\n");
    const kept = lines.map((line) => redactUrlsIn(line, MAX_START)).filter((line) => line !== "");
    return kept
      .join("\n")
      .slice(0, MAX_START)
      .replace(/\p{Cs}$/u, "");
  }

  add(text: string): void {
    this.#all.add(text);
    if (!this.#isInLink && !this.#controls.isInside) this.#prose.add(text);
    if (this.#start.length < MAX_RAW_START)
      this.#start.add(text.slice(0, MAX_RAW_START).replace(/\s+/g, " "));
    if (this.#shown.length < MAX_SHOWN)
      this.#shown.add(foldSpace(text.slice(0, MAX_SHOWN - this.#shown.length)));
    if (this.#heading !== null && this.#heading.length < MAX_RAW_HEADING_LENGTH)
      this.#heading += text.slice(0, MAX_RAW_HEADING_LENGTH);
  }

  enter(name: string): void {
    this.#breakLine(name);
    if (name === "a") this.#isInLink = true;
    this.#controls.enter(name);
    this.#frames.enter(name);
    if (HEADINGS.has(name) && !this.#frames.isInside) {
      this.headingCount += 1;
      this.#heading = "";
    }
  }

  leave(name: string): void {
    this.#breakLine(name);
    if (name === "a") this.#isInLink = false;
    this.#controls.leave(name);
    this.#frames.leave(name);
    if (!HEADINGS.has(name) || this.#heading === null) return;
    const heading = redactUrlsIn(this.#heading, MAX_HEADING_LENGTH);
    if (heading !== "" && this.headings.length < MAX_HEADINGS) this.headings.push(heading);
    this.#heading = null;
  }

  #breakLine(name: string): void {
    if (AFTER_LINK.has(name)) this.#isInLink = false;
    if (!LINES.has(name) || this.#shown.length >= MAX_SHOWN) return;
    this.#start.break();
    this.#shown.break();
    this.#prose.add(" ");
    if (this.#heading !== null) this.#heading += " ";
  }
}
