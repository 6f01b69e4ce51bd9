/* What jobs ask for most: loaded where a report is written. */
export { openActions } from "./github-actions.ts";
export { formatJunitReport } from "./junit.ts";
export { formatMarkdownReport } from "./markdown.ts";
