import { fragment } from "./driver/fragment.ts";

/**
 * Rows per batch of a list. The next batch is requested by what the last row is ordered by, so every batch costs the same, and
 * rows added meanwhile neither repeat nor hide others. The number is part of the query's text, because for a parameter
 * Postgres would plan for a tenth of the table. A row's other fields are looked up row by row, so that no plan starts
 * with another table as a whole.
 */
export const BATCH_ROWS = fragment`500`;
