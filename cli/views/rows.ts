import type { Check, Finding } from "../../shared/check.ts";
import type { LastShip } from "../../shared/last-ship.ts";
import type { Project } from "../../shared/project.ts";
import type { ProjectIncident } from "../client/printed.ts";
import type { ReceivedLastShip } from "../client/received.ts";
import { cleanText } from "../terminal/clean.ts";
import type { ExplainedRule } from "../client/printed.ts";

/** Null is an empty field. */
export type Cell = string | number | null;
export type Row = readonly Cell[];

function formatCell(cell: Cell): string {
  return cell === null ? "" : cleanText(String(cell));
}

/** One line a row, whatever the texts hold: fields separated by tabs. */
export function formatRows(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(formatCell).join("\t")}\n`).join("");
}

/** The columns of the rows that each command prints into a pipe: names of fields. New ones are added at the end. */
export const COLUMNS = {
  check: ["score", "verdict", "url", "finalUrl", "id"],
  "check --explain": [
    "id",
    "status",
    "earned",
    "points",
    "title",
    "evidence",
    "fix",
    "docsUrl",
    "fixLine",
  ],
  projects: ["id", "state", "score", "name", "url"],
  incidents: ["projectId", "id", "since", "url", "reason", "projectName"],
  "last-ship": ["id", "deployedAt", "score", "verdict", "ref", "commit", "url"],
  explain: ["id", "category", "points", "title", "why", "fix", "measures", "fixLine"],
} as const satisfies {
  check: readonly (keyof Check)[];
  "check --explain": readonly (keyof Finding)[];
  projects: readonly (keyof Project)[];
  incidents: readonly (keyof ProjectIncident)[];
  "last-ship": readonly (keyof LastShip)[];
  explain: readonly (keyof ExplainedRule)[];
};

/** The fields of an item that are columns. A column is empty if an older server does not send its field. */
export function rowOf<Name extends string>(
  columns: readonly Name[],
  item: { readonly [name in Name]?: Cell | undefined },
): Row {
  return columns.map((name) => item[name] ?? null);
}

/** One row, or none where nothing was shipped. */
export function lastShipRows({ lastShip }: ReceivedLastShip): Row[] {
  return lastShip === null ? [] : [rowOf(COLUMNS["last-ship"], lastShip)];
}
