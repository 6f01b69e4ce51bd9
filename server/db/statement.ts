import { Fragment, writeQuery, type Parameter, type Value } from "./fragment.ts";

/** What is sent of one query. */
export interface Statement {
  /** The same for the same text, which comes from templates alone. */
  readonly name: string;
  readonly text: string;
  readonly values: Parameter[];
  /** It waits for no row that another transaction has locked. */
  readonly isRead: boolean;
}

const READ = /^\s*select\b(?!.*\bfor\s+(?:no\s+key\s+)?(?:update|share|key\s+share)\b)/is;
const CALL = /\b([a-z_]\w*)\s*\(/gi;
/** What may stand before a parenthesis in a read: words of SQL, and functions that lock nothing. */
const HARMLESS = new Set(
  `and any array as by coalesce count date_trunc exists extract filter from in interval join lateral length make_interval
  max min not now on or over select sum to_json use_token values where`.split(/\s+/),
);

const known = new Map<string, Pick<Statement, "name" | "isRead">>();

/** A text that is not known to wait for nobody is no read: a wrong guess costs a turn, and blocks nobody else. */
function isRead(text: string): boolean {
  return READ.test(text) && [...text.matchAll(CALL)].every(([, word = ""]) => HARMLESS.has(word));
}

export function writeStatement(strings: readonly string[], values: readonly Value[]): Statement {
  const parameters: Parameter[] = [];
  const text = writeQuery(new Fragment(strings, values), parameters);
  let facts = known.get(text);
  if (facts === undefined) {
    facts = { name: `s${known.size}`, isRead: isRead(text) };
    known.set(text, facts);
  }
  return { ...facts, text, values: parameters };
}
