import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { isSingular, say } from "../../shared/report/words.ts";
import type { ProjectIncident } from "../client/received.ts";
import type { Screen } from "../terminal/io.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeAge } from "../terminal/words.ts";

const TITLES: readonly Words[] = [
  { fr: "DEPUIS", en: "FOR" },
  { fr: "PROJET", en: "PROJECT" },
  { fr: "ADRESSE", en: "ADDRESS" },
  { fr: "CAUSE", en: "REASON" },
];

/** How many addresses are failing, as a sentence. */
export function describeTotal(count: number, language: ReportLanguage): string {
  if (count === 0) return say({ fr: "Rien n'est en échec.", en: "Nothing is failing." }, language);
  const noun = isSingular(count, language)
    ? { fr: "adresse", en: "address" }
    : { fr: "adresses", en: "addresses" };
  return `${count} ${say(noun, language)} ${say({ fr: "en échec.", en: "failing." }, language)}`;
}

/** A line of titles, then a line for each incident. */
export function listIncidentLines(
  incidents: readonly ProjectIncident[],
  now: Date,
  screen: Screen,
  language: ReportLanguage,
): string[] {
  const [age, ...others] = TITLES.map((title) => ({ title: say(title, language) }));
  const ageColumn = { title: "", ...age, align: "right" as const, style: screen.chalk.red };
  const rows = incidents.map(({ since, projectId, projectName, url, reason }) => [
    describeAge(since, now, language),
    projectName ?? projectId,
    url,
    reason,
  ]);
  return formatTable([ageColumn, ...others], rows, screen)
    .trimEnd()
    .split("\n");
}

export function formatIncidentTable(
  incidents: readonly ProjectIncident[],
  now: Date,
  screen: Screen,
  language: ReportLanguage,
): string {
  const total = describeTotal(incidents.length, language);
  if (incidents.length === 0) return `${screen.chalk.green(total)}\n`;
  const lines = listIncidentLines(incidents, now, screen, language);
  return `${[...lines, "", total].join("\n")}\n`;
}
