import { cleanValue } from "../terminal/clean.ts";
import type { CommonFlags } from "../terminal/command.ts";
import { pickField } from "../terminal/field.ts";
import type { Io, Screen } from "../terminal/io.ts";
import { formatJson } from "../terminal/json.ts";
import { formatRows, type Row } from "./rows.ts";

/** How a value is shown: as rows for programs, as a page for people, and as JSON where that is not the value itself. */
export interface View<T> {
  json?(value: T): unknown;
  rows(value: T): Row[];
  /** Imports what formats it, since measuring the width of texts takes 50 ms to load. */
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

/** Prints a result as the flags, the terminal or the pipe ask. The text of a page is clean, whatever the server sent. */
export async function printResult<T>(
  io: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<void> {
  const asked = formatValue(flags, view.json ? view.json(value) : value);
  if (asked !== undefined) await io.print(asked);
  else if (io.screen) await io.print(await view.page(cleanValue(value), io.screen));
  else await io.print(formatRows(view.rows(value)));
}
