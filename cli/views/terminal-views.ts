/* What draws for a terminal: loaded for one alone, since what measures the width of a text takes 50 ms to load. */
export { formatCheckReport } from "./check-report.ts";
export { formatCheckTable } from "./check-table.ts";
export { formatExplanation } from "./explanation.ts";
export { formatStep } from "./doctor-list.ts";
export { formatIncidentTable } from "./incident-table.ts";
export { formatLastShipCard } from "./last-ship-card.ts";
export { formatProjectTable } from "./project-table.ts";
export { formatRule } from "./rule-page.ts";
export { openIncidentLines, openIncidentScreen } from "./watched-incidents.ts";
