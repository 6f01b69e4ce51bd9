import * as z from "zod";
import type { ListedRow } from "./command.ts";
import type { Column } from "./output.ts";

const Cell = z.union([z.string(), z.number(), z.null()]);

export const column = (heading: string, key: string): Column<ListedRow> => [
  heading,
  (row) => Cell.parse(row[key]),
];

/** A column of dates: shortened to the day or the minute on a terminal, exact in a pipe. */
export const dateColumn = (
  heading: string,
  key: string,
  length: "day" | "minute",
): Column<ListedRow> => [
  heading,
  (row) => Cell.parse(row[key]),
  (row) =>
    (Cell.parse(row[key]) ?? "")
      .toString()
      .slice(0, length === "day" ? 10 : 16)
      .replace("T", " "),
];

export const listColumn = (heading: string, key: string): Column<ListedRow> => [
  heading,
  (row) => z.array(z.string()).parse(row[key]).join(", "),
];
