import type { CommonFlags } from "./command.ts";
import type { Io, Screen } from "./io.ts";
import { cleanValue } from "./clean.ts";
import { pickField } from "./field.ts";
import { formatJson } from "./json.ts";
import { formatRows, type Row } from "./rows.ts";

/** How a value is shown: as rows for programs, as a page for people, and as JSON where that is not the value itself. */
export interface View<T> {
  json?(value: T): unknown;
  rows(value: T): Row[];
  /** Loads what draws the page, which a pipe never needs. */
  page(value: T, screen: Screen): Promise<string>;
}

/** A JSON value as `--field` or `--json` asks for it; undefined where neither does. */
export function formatValue(
  { field, json: isJson }: Pick<CommonFlags, "field" | "json">,
  json: unknown,
): string | undefined {
  if (field !== undefined) return `${pickField(json, field)}\n`;
  return isJson ? formatJson(json) : undefined;
}

async function formatResult<T>(
  { screen }: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<string> {
  const asked = formatValue(flags, view.json ? view.json(value) : value);
  if (asked !== undefined) return asked;
  if (screen) return view.page(cleanValue(value), screen);
  return formatRows(view.rows(value));
}

/** Prints a result as the flags, the terminal or the pipe ask. The text of a page is clean, whatever the server sent. */
export async function printResult<T>(
  io: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<void> {
  await io.print(await formatResult(io, flags, value, view));
}
