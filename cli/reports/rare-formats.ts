/* The formats that few runs ask for, and that need what takes time to load. */
export { formatGitlabReport } from "./gitlab.ts";
export { formatHtmlReport } from "./html.tsx";
export { formatSarifReport } from "./sarif.ts";
