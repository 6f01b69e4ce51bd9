import type { Check, Finding } from "../../shared/check.ts";
import type { LastShip } from "../../shared/last-ship.ts";
import type { Project } from "../../shared/project.ts";
import type { ProjectIncident, ExplainedRule } from "../client/json-output.ts";
import type { ReceivedLastShip } from "../client/api-responses.ts";
import { cleanText, cleanValue, pickField, formatJson } from "../terminal/json.ts";
import type { CommonFlags } from "../terminal/command.ts";
import type { Io, Screen } from "../terminal/io.ts";

type Cell = string | number | null;
export type Row = readonly Cell[];

function formatCell(cell: Cell): string {
  return cell === null ? "" : cleanText(String(cell));
}

export function formatRows(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(formatCell).join("\t")}\n`).join("");
}

/** New columns are added at the end. */
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

/** Lines to paste are alternatives, and a cell holds one line. */
const readCell = (name: string, cell: Cell | undefined): Cell =>
  name === "fixLine" && typeof cell === "string" ? cell.replace(/\n[^]*/, "") : (cell ?? null);

/** An older server may not send every field. */
export function rowOf<Name extends string>(
  columns: readonly Name[],
  item: { readonly [name in Name]?: Cell | undefined },
): Row {
  return columns.map((name) => readCell(name, item[name]));
}

export function lastShipRows({ lastShip }: ReceivedLastShip): Row[] {
  return lastShip === null ? [] : [rowOf(COLUMNS["last-ship"], lastShip)];
}

interface View<T> {
  json?(value: T): unknown;
  rows(value: T): Row[];
  /** Imports its formatter here, because measuring the width of texts takes 50 ms to load. */
  page(value: T, screen: Screen): Promise<string>;
}

export function formatValue(
  { field, json: isJson }: Pick<CommonFlags, "field" | "json">,
  json: unknown,
): string | undefined {
  if (field !== undefined) return `${pickField(json, field)}\n`;
  return isJson ? formatJson(json) : undefined;
}

/** A page gets clean texts. */
export async function printResult<T>(
  io: Io,
  flags: CommonFlags,
  value: T,
  view: View<T>,
): Promise<void> {
  const text = formatValue(flags, view.json ? view.json(value) : value);
  if (text !== undefined) await io.print(text);
  else if (io.screen) await io.print(await view.page(cleanValue(value), io.screen));
  else await io.print(formatRows(view.rows(value)));
}
