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

/** Where a query stands among those written before: each of its templates and parameters is one step further. */
interface Place {
  readonly templates: WeakMap<readonly string[], Place>;
  parameter?: Place;
  statement?: Omit<Statement, "values">;
}

const newPlace = (): Place => ({ templates: new WeakMap() });
const start = newPlace();
const known = new Map<string, Omit<Statement, "values">>();

/**
 * True only for statements known to be free of locks: one wrongly taken for a write merely waits its turn, and blocks
 * nobody.
 */
function isRead(text: string): boolean {
  return READ.test(text) && [...text.matchAll(CALL)].every(([, word = ""]) => HARMLESS.has(word));
}

/** Follows a query to its place, and adds its values to `parameters`. */
function follow(from: Place, { strings, values }: Fragment, parameters: Parameter[]): Place {
  let place = from.templates.get(strings);
  if (place === undefined) {
    place = newPlace();
    from.templates.set(strings, place);
  }
  for (const value of values) {
    if (value instanceof Fragment) {
      place = follow(place, value, parameters);
    } else {
      parameters.push(value);
      place = place.parameter ??= newPlace();
    }
  }
  return place;
}

function describeStatement(text: string): Omit<Statement, "values"> {
  let statement = known.get(text);
  if (statement === undefined) {
    statement = { name: `s${known.size}`, text, isRead: isRead(text) };
    known.set(text, statement);
  }
  return statement;
}

/** Writes the text of a query once: to write it for each request took a twentieth of a read's time in this process. */
export function writeStatement(strings: readonly string[], values: readonly Value[]): Statement {
  const query = new Fragment(strings, values);
  const parameters: Parameter[] = [];
  const place = follow(start, query, parameters);
  place.statement ??= describeStatement(writeQuery(query, []));
  return { ...place.statement, values: parameters };
}
