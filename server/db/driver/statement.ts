import { Fragment, writeQuery, type Parameter, type Value } from "./fragment.ts";

/** A query in the form in which it is sent. */
export interface Statement {
  /** The name of the prepared statement. There are few, because texts only come from templates. */
  readonly name: string;
  readonly text: string;
  readonly values: Parameter[];
}

/** Where a query stands among those written before: each of its templates and parameters is one step further. */
interface Place {
  readonly templates: WeakMap<readonly string[], Place>;
  parameter?: Place;
  statement?: Omit<Statement, "values">;
}

const newPlace = (): Place => ({ templates: new WeakMap() });
const start = newPlace();
const known = new Map<string, Omit<Statement, "values">>();

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
    statement = { name: `s${known.size}`, text };
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
