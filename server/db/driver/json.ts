import { types, type CustomTypesConfig } from "pg";

/** What our statements call a time in the rows of a list. */
const TIME_NAME = /^(?:since|from|to|at|hour)$|(?:At|Since)$/;
/** How Postgres writes one in JSON. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?$/;

function readMember([name, value]: [string, unknown]): [string, unknown] {
  if (Array.isArray(value)) return [name, value.map(readRow)];
  const isTime = typeof value === "string" && TIME_NAME.test(name) && TIME.test(value);
  return [name, isTime ? new Date(value) : value];
}

function readRow(row: unknown): unknown {
  if (Array.isArray(row)) return row.map(readRow);
  if (typeof row !== "object" || row === null) return row;
  return Object.fromEntries(Object.entries(row).map(readMember));
}

/**
 * `json` is only what statements compose, such as the rows of a list: their times are read as those of a column are. What is stored
 * is `jsonb`, and stays as it is, also within a row.
 */
export const TYPES: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === types.builtins.JSON
      ? (text: string) => readRow(JSON.parse(text))
      : types.getTypeParser(type, format),
};
