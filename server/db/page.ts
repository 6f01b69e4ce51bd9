import { fragment } from "./fragment.ts";

/**
 * How many rows of a list are read at once. What follows a page is asked for by the id of its last row, so that a page
 * costs the same wherever it is, and none is given twice or left out because of rows that come meanwhile. It stands in
 * the text of the query, as planning without it would be for a tenth of the table; and what else a row shows is looked
 * up for each, so that no plan begins with the whole of another table.
 */
export const PAGE_ROWS = fragment`500`;
