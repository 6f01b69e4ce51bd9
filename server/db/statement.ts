import { Fragment, writeQuery, type Parameter, type Value } from "./fragment.ts";

/** A query in the form in which it is sent. */
export interface Statement {
  /** The name of the prepared statement. There are few, because texts only come from templates. */
  readonly name: string;
  readonly text: string;
  readonly values: Parameter[];
  /** True if it never waits for a row that another transaction has locked. */
  readonly isRead: boolean;
}

const READ = /^\s*select\b(?!.*\bfor\s+(?:no\s+key\s+)?(?:update|share|key\s+share)\b)/is;
const CALL = /\b([a-z_]\w*)\s*\(/gi;
/** Words that may precede a parenthesis in a read: SQL keywords, and functions that lock nothing. */
const HARMLESS = new Set(
  `and any array as by ceil coalesce count date_trunc decode exists extract filter from generate_series greatest in interval
  join lateral least length lower make_interval max min not now on or over round select string_to_array sum then to_char
  to_json unnest use_session use_token values where`.split(/\s+/),
);

const known = new Map<string, Pick<Statement, "name" | "isRead">>();

/**
 * True only for statements known to be free of locks: one wrongly taken for a write merely waits its turn, and blocks
 * nobody.
 */
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
