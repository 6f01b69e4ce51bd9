import type { CommonFlags } from "./command.ts";
import type { Io, Screen } from "./io.ts";
import { cleanValue } from "./views/clean.ts";
import { formatJson } from "./views/json.ts";
import { formatRows, type Row } from "./views/rows.ts";

/** How a value is shown: rows for programs, a page for people, and JSON where that is not the value itself. */
export interface View<T> {
  json?(value: T): unknown;
  rows(value: T): Row[];
  page(value: T, screen: Screen): string;
}

/** Prints a result as `--json` or the terminal asks. Views get clean text, whatever the server sent. */
export async function printResult<T>(
  io: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<void> {
  if (flags.json) return io.print(formatJson(view.json ? view.json(value) : value));
  const clean = cleanValue(value);
  return io.print(io.screen ? view.page(clean, io.screen) : formatRows(view.rows(clean)));
}
