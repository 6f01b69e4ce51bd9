import { fragment } from "./driver/fragment.ts";

/**
 * Each batch starts after the order key of the last row, so every batch costs the same. Rows added in between neither
 * repeat nor hide others. The number is part of the query's text: for a parameter, Postgres would plan for a tenth of
 * the table. Other columns are looked up per row, so that no plan starts with a whole other table.
 */
export const BATCH_ROWS = fragment`500`;
