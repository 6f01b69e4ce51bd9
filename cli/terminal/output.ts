import type { CommonFlags } from "./command.ts";
import type { Io, Screen } from "./io.ts";
import { cleanValue } from "./clean.ts";
import { pickField } from "./field.ts";
import { formatJson } from "./json.ts";
import { formatRows, type Row } from "./rows.ts";

/** How a value is shown: rows for programs, a page for people, and JSON where that is not the value itself. */
export interface View<T> {
  json?(value: T): unknown;
  rows(value: T): Row[];
  /** Loads what draws it, which programs never need. */
  page(value: T, screen: Screen): Promise<string>;
}

/** Prints a result as `--field`, `--json` or the terminal asks. A page gets clean text, whatever the server sent. */
export async function printResult<T>(
  io: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<void> {
  const json = view.json ? view.json(value) : value;
  if (flags.field !== undefined) return io.print(`${pickField(json, flags.field)}\n`);
  if (flags.json) return io.print(formatJson(json));
  if (io.screen) return io.print(await view.page(cleanValue(value), io.screen));
  return io.print(formatRows(view.rows(value)));
}
