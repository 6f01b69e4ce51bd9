import type { Language, Text } from "../../shared/language.ts";

import { isSingular, say } from "../../shared/report/words.ts";
import type { ProjectIncident } from "../client/json-output.ts";
import type { Screen } from "../terminal/io.ts";
import {
  breakWords,
  fitsTable,
  formatTable,
  padStart,
  truncate,
  wrap,
} from "../terminal/layout.ts";
import { describeAge } from "../terminal/words.ts";

const TITLES: readonly Text[] = [
  { fr: "DEPUIS", en: "FOR" },
  { fr: "PROJET", en: "PROJECT" },
  { fr: "ADRESSE", en: "ADDRESS" },
  { fr: "CAUSE", en: "REASON" },
];

export function describeTotal(count: number, language: Language): string {
  if (count === 0) return say({ fr: "Rien n'est en échec.", en: "Nothing is failing." }, language);
  const noun = isSingular(count, language)
    ? { fr: "adresse", en: "address" }
    : { fr: "adresses", en: "addresses" };
  return `${count} ${say(noun, language)} ${say({ fr: "en échec.", en: "failing." }, language)}`;
}

const GAP = "  ";
/** From here on an incident has one line, cut where it is too long. */
const WIDE = 80;
const MOST_LINES = 3;

/** An incident behind its age: its project and address, and its reason below. */
function stackIncident(
  [age = "", project = "", url = "", reason = ""]: readonly string[],
  ageColumns: number,
  { chalk, width }: Screen,
): string[] {
  const label = padStart(age, ageColumns) + GAP;
  const columns = Math.max(1, width - label.length);
  const fold = (text: string) =>
    wrap(breakWords(truncate(text, MOST_LINES * columns), columns), columns);
  const lines = [...fold(`${project} ${url}`), ...fold(reason)];
  return lines.map(
    (line, index) => (index === 0 ? chalk.red(label) : " ".repeat(label.length)) + line,
  );
}

/** The heading, and the lines of each incident: one; on a narrow terminal, where it would be cut to fragments, several. */
export function listIncidents(incidents: readonly ProjectIncident[], now: Date, screen: Screen) {
  const { language } = screen;
  const [age = "", ...others] = TITLES.map((title) => say(title, language));
  const ageColumn = { title: age, align: "right" as const, style: screen.chalk.red };
  const columns = [ageColumn, ...others.map((title) => ({ title }))];
  const cells = incidents.map(({ since, projectId, projectName, url, reason }) => [
    describeAge(since, now, language),
    projectName ?? projectId,
    url,
    reason,
  ]);
  if (screen.width >= WIDE || fitsTable(columns, cells, screen)) {
    const [heading = "", ...rows] = formatTable(columns, cells, screen).trimEnd().split("\n");
    return { heading, rows: rows.map((row) => [row]) };
  }
  const ageColumns = Math.max(age.length, ...cells.map(([text = ""]) => text.length));
  const heading = truncate(padStart(age, ageColumns) + GAP + others.join(", "), screen.width);
  return {
    heading: screen.chalk.dim(heading),
    rows: cells.map((each) => stackIncident(each, ageColumns, screen)),
  };
}

export function formatIncidentTable(
  incidents: readonly ProjectIncident[],
  now: Date,
  screen: Screen,
): string {
  const total = describeTotal(incidents.length, screen.language);
  if (incidents.length === 0) return `${screen.chalk.green(total)}\n`;
  const { heading, rows } = listIncidents(incidents, now, screen);
  return `${[heading, ...rows.flat(), "", total].join("\n")}\n`;
}
