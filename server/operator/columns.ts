import * as z from "zod";
import type { Column } from "./output.ts";

/** A row of a list, as JSON. */
export type Row = Record<string, unknown>;

const Cell = z.union([z.string(), z.number(), z.null()]);
const column = (heading: string, key: string): Column<Row> => [
  heading,
  (row) => Cell.parse(row[key]),
];
/** A date that a terminal shows to the day, or to the minute, and a pipe exactly. */
const dateColumn = (heading: string, key: string, length: "day" | "minute"): Column<Row> => [
  heading,
  (row) => Cell.parse(row[key]),
  (row) =>
    (Cell.parse(row[key]) ?? "")
      .toString()
      .slice(0, length === "day" ? 10 : 16)
      .replace("T", " "),
];
const listOf = (key: string) => (row: Row) => z.array(z.string()).parse(row[key]).join(", ");

export const ACCOUNTS: Column<Row>[] = [
  column("EMAIL", "email"),
  column("PLAN", "plan"),
  ["USED", (row) => `${String(row["used"])}/${String(row["limit"])}`],
  column("TOKENS", "activeTokens"),
  column("ID", "id"),
];
export const TOKENS: Column<Row>[] = [
  column("ID", "id"),
  column("NAME", "name"),
  dateColumn("CREATED", "createdAt", "day"),
  dateColumn("LAST USED", "lastUsedAt", "minute"),
  dateColumn("REVOKED", "revokedAt", "day"),
];
export const PROJECTS: Column<Row>[] = [
  column("ID", "id"),
  column("STATE", "state"),
  column("NAME", "name"),
  column("URL", "url"),
  column("OWNER", "owner"),
  ["MEMBERS", listOf("members")],
  ["INVITED", listOf("invited")],
];
export const DEPLOYMENT: Column<Row>[] = [
  column("STATE", "state"),
  column("SCORE", "score"),
  column("VERDICT", "verdict"),
  column("TRIES", "tries"),
  column("URL", "url"),
  column("REASON", "reason"),
];
export const ROUND: Column<Row>[] = [
  column("OUTCOME", "outcome"),
  column("SCORE", "score"),
  column("KIND", "kind"),
  column("URL", "url"),
  column("REASON", "reason"),
];
