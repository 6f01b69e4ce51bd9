import { createContext, runInContext, Script } from "node:vm";
import { Parser, type Program } from "acorn";
import { oneLine } from "../../../base/syntax/text.ts";
import type { Slice } from "../../net/slice.ts";
import type { Html, PlainCall, ScriptFault } from "../../evidence/html.ts";
import { findCallsAtTop, findPlainCalls, mayCallPlainly } from "./plain-calls.ts";

const MAX_SCRIPTS = 64;
const MAX_LENGTH = 524_288;
const MAX_FAULTS = 5;
const MAX_CALLS = 10;
const MAX_ERROR_LENGTH = 80;
/** How long acorn may take for all scripts of a page. A short text takes at most 100 ms of CPU time. */
const MAX_PARSE_MS = 1200;
const SHORT_LENGTH = 16_384;
/**
 * V8's parser cannot be interrupted, and takes time in proportion to the depth of its scopes times their names. Below
 * this product of braces and characters it takes at most 200 ms.
 */
const MAX_BRACES_BY_LENGTH = 10_000_000;
/** The sum of the depths of all tokens. Bundles of 500 KB have a third of it. */
const MAX_DEPTHS = 3_000_000;
const LOOKAHEAD = 200;

/** Without white space alone. `line`: that of its first character. */
export interface InlineScript {
  readonly text: string;
  readonly line: number;
  readonly isModule: boolean;
}

export class InlineScripts {
  readonly kept: InlineScript[] = [];
  #room = MAX_LENGTH;

  /** A script with both marks may end elsewhere than it seems to (HTML, 13.2.5.15). */
  add(text: string, isModule: boolean, findLine: () => number): void {
    if (this.kept.length === MAX_SCRIPTS || text.length > this.#room) return;
    if (text.includes("<!--") && /<script/i.test(text)) return;
    this.#room -= text.length;
    this.kept.push({ text, line: findLine(), isModule });
  }
}

/**
 * Faults are errors that both parsers find: V8 of this version of Node, and acorn, which knows the newest language.
 * Modules, which only acorn parses, are searched for calls alone.
 */
export async function readScripts(
  scripts: readonly InlineScript[],
  slice: Slice,
): Promise<Pick<Html, "scriptFaults" | "plainCalls">> {
  const parser = openParser();
  const scriptFaults: ScriptFault[] = [];
  const plainCalls: PlainCall[] = [];
  for (const script of scripts) {
    if (slice.isLate) break;
    if (slice.isOver) await slice.end();
    const { text, line, isModule } = script;
    const isAssessed = !isModule && scriptFaults.length < MAX_FAULTS;
    const refusal = isAssessed ? findRefusal(text, parser) : undefined;
    if (refusal)
      scriptFaults.push({ line: line + refusal.line - 1, error: withoutWords(refusal.message) });
    else plainCalls.push(...(await findCalls(script, parser, slice)));
  }
  return { scriptFaults, plainCalls: plainCalls.slice(0, MAX_CALLS) };
}

async function findCalls(
  { text, line, isModule }: InlineScript,
  parser: BoundedParser,
  slice: Slice,
): Promise<PlainCall[]> {
  if (!mayCallPlainly(text)) return [];
  const { program } = parser.parse(text, isModule ? "module" : "script");
  const atTop = program ? findCallsAtTop(program, line) : [];
  const all = await findPlainCalls(text, slice);
  const others = all.filter(({ url }) => !atTop.some((one) => one.url === url));
  return [
    ...atTop,
    ...others.map((one) => ({ ...one, line: line + one.line - 1, isAtTop: false })),
  ];
}

interface Refusal {
  readonly line: number;
  readonly message: string;
  readonly isAtEnd: boolean;
}

function findRefusal(text: string, parser: BoundedParser): Refusal | undefined {
  if (countBraces(text) * text.length <= MAX_BRACES_BY_LENGTH) {
    const refusal = compile(text);
    return refusal && parser.parse(text, "script").position !== undefined ? refusal : undefined;
  }
  // Acorn has measured the depth only up to its error.
  const { position } = parser.parse(text, "script");
  if (position === undefined) return undefined;
  const cut = text.slice(0, position + LOOKAHEAD);
  const refusal = compile(cut);
  return refusal?.isAtEnd && cut.length < text.length ? undefined : refusal;
}

function countBraces(text: string): number {
  let count = 0;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) count += 1;
  return count;
}

/** The start of a stack: file and line, the line's text, and carets below the error. */
const PLACE = /^page:(\d+)\n(.*)\n( *)\^/;
const TOO_DEEP = /regular expression too large|stack/i;

/** Depth errors are RangeErrors, or mention it. */
function compile(text: string): Refusal | undefined {
  try {
    return void new Script(text, { filename: "page" });
  } catch (error) {
    if (!(error instanceof SyntaxError) || TOO_DEEP.test(error.message.slice(-100)))
      return undefined;
    const [, line = "1", source = "", indent = ""] = PLACE.exec(error.stack ?? "") ?? [];
    const isLast = Number(line) >= text.split(/\r\n?|[\n\u2028\u2029]/).length;
    const isAtEnd = isLast && indent.length + 1 >= source.length;
    return { line: Number(line), message: error.message, isAtEnd };
  }
}

interface BoundedParser {
  /** `position`: of the error. Both are undefined if the bounds did not suffice. */
  parse(text: string, sourceType: "script" | "module"): { program?: Program; position?: number };
}

interface Internals {
  readonly scopeStack: readonly unknown[];
  next(...args: unknown[]): void;
}

class TooDeep extends Error {}

/** Acorn keeps each declared name once for each scope around it, so the sum of the depths bounds its memory. */
function limitDepths(Base: typeof Parser): typeof Parser {
  const Inner = Base as unknown as new (...args: unknown[]) => Internals;
  class Limited extends Inner {
    #depths = 0;

    override next(...args: unknown[]): void {
      this.#depths += this.scopeStack.length;
      if (this.#depths > MAX_DEPTHS) throw new TooDeep();
      super.next(...args);
    }
  }
  return Limited as unknown as typeof Parser;
}

const BoundedAcorn = Parser.extend(limitDepths);

function openParser(): BoundedParser {
  let leftMs = MAX_PARSE_MS;
  return {
    parse(text, sourceType) {
      if (leftMs < 1) return {};
      const startedAt = performance.now();
      const result: { program?: Program } = {};
      const options = { ecmaVersion: "latest", sourceType, locations: true } as const;
      const parse = () => void (result.program = BoundedAcorn.parse(text, options));
      try {
        if (text.length <= SHORT_LENGTH) {
          parse();
          return result;
        }
        runInContext("parse()", createContext({ parse }), { timeout: Math.floor(leftMs) });
        return result;
      } catch (error) {
        const position = positionOf(error, text.length);
        return position === undefined ? {} : { position };
      } finally {
        leftMs -= performance.now() - startedAt;
      }
    },
  };
}

function positionOf(error: unknown, end: number): number | undefined {
  if (!(error instanceof SyntaxError) || TOO_DEEP.test(error.message)) return undefined;
  // The rest of the text is one token.
  if (error.message.startsWith("Unterminated")) return end;
  return "pos" in error && typeof error.pos === "number" ? error.pos : end;
}

const MAX_MESSAGE_LENGTH = 300;
const WORD = /[\p{L}\p{N}_$]/u;

/** Leaves out what the script itself contains, because it may be a secret. Signs stay. */
function withoutWords(message: string): string {
  const isOfRegExp = message.startsWith("Invalid regular expression");
  const told = isOfRegExp
    ? "Invalid regular expression"
    : message
        .slice(0, MAX_MESSAGE_LENGTH)
        .replace(/ ?'([^']*)(?:'|$)/g, (all, quoted: string) => (WORD.test(quoted) ? "" : all));
  return oneLine(told, MAX_ERROR_LENGTH);
}
