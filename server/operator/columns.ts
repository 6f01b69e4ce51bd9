import * as z from "zod";
import type { Row } from "./command.ts";
import type { Column } from "./output.ts";

const Cell = z.union([z.string(), z.number(), z.null()]);

/** A field of a row under a heading. */
export const column = (heading: string, key: string): Column<Row> => [
  heading,
  (row) => Cell.parse(row[key]),
];

/** A date that a terminal shows to the day, or to the minute, and a pipe exactly. */
export const dateColumn = (heading: string, key: string, length: "day" | "minute"): Column<Row> => [
  heading,
  (row) => Cell.parse(row[key]),
  (row) =>
    (Cell.parse(row[key]) ?? "")
      .toString()
      .slice(0, length === "day" ? 10 : 16)
      .replace("T", " "),
];

/** Several strings, with commas between them. */
export const listColumn = (heading: string, key: string): Column<Row> => [
  heading,
  (row) => z.array(z.string()).parse(row[key]).join(", "),
];
