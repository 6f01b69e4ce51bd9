import { type ChangeLine, type Compared, listChanges } from "../../shared/report/changes.ts";
import type { Screen } from "../terminal/io.ts";
import { hang } from "../terminal/layout.ts";

const COLOURS: Readonly<Record<ChangeLine["kind"], "dim" | "red" | "green" | "yellow">> = {
  note: "dim",
  worse: "red",
  mended: "green",
  unjudged: "yellow",
  unchanged: "dim",
};

/** What changed since the baseline, as lines of a page; with `isGathered` as few as can be. */
export function formatComparison(
  checked: Compared,
  { chalk, columns, language }: Screen,
  isGathered: boolean,
  subject = "",
): string[] {
  return listChanges(checked, language, isGathered).flatMap(({ kind, text }) =>
    hang("", subject + text, columns, chalk[COLOURS[kind]]),
  );
}
