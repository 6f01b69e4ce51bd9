import type { ProjectIncident } from "../client/received.ts";
import type { Screen } from "../terminal/io.ts";
import { hang } from "../terminal/layout.ts";
import { describeTime } from "../../shared/report/words.ts";
import { countOf, describeAge } from "../terminal/words.ts";

function formatIncident(incident: ProjectIncident, now: Date, screen: Screen): string {
  const { chalk, columns, canDraw } = screen;
  const mark = canDraw ? "✗ " : "- ";
  const since = `Failing for ${describeAge(incident.since, now)}, since ${describeTime(incident.since)}`;
  return [
    `${chalk.red(mark)}${chalk.bold(incident.url)}`,
    ...hang("  ", incident.reason, columns),
    ...hang("  ", `${since} (${incident.projectId})`, columns, chalk.dim),
  ].join("\n");
}

export function formatIncidentList(
  incidents: readonly ProjectIncident[],
  now: Date,
  screen: Screen,
): string {
  if (incidents.length === 0) return `${screen.chalk.green("Nothing is failing.")}\n`;
  const blocks = incidents.map((incident) => formatIncident(incident, now, screen));
  const count = `${countOf(incidents.length, "address", "addresses")} failing.`;
  return `${[...blocks, count].join("\n\n")}\n`;
}
