import type { Language, Text } from "../../shared/language.ts";

import { say } from "../../shared/report/words.ts";
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
import { countOf, describeAge } from "../terminal/words.ts";

const TITLES: readonly Text[] = [
  { fr: "DEPUIS", en: "FOR" },
  { fr: "PROJET", en: "PROJECT" },
  { fr: "URL", en: "URL" },
  { fr: "CAUSE", en: "REASON" },
];

export function describeTotal(count: number, language: Language): string {
  if (count === 0) return say({ fr: "Aucune URL en échec.", en: "Nothing is failing." }, language);
  const urls = countOf(count, "url");
  return say({ fr: `${urls.fr} en échec.`, en: `${urls.en} failing.` }, language);
}

const GAP = "  ";
/** From this width on, an incident has one line, which is cut if it is too long. */
const WIDE = 80;
const MAX_LINES = 3;

function stackIncident(
  [age = "", project = "", url = "", reason = ""]: readonly string[],
  ageColumns: number,
  { chalk, width }: Screen,
): string[] {
  const label = padStart(age, ageColumns) + GAP;
  const columns = Math.max(1, width - label.length);
  const fold = (text: string) =>
    wrap(breakWords(truncate(text, MAX_LINES * columns), columns), columns);
  const lines = [...fold(`${project} ${url}`), ...fold(reason)];
  return lines.map(
    (line, index) => (index === 0 ? chalk.red(label) : " ".repeat(label.length)) + line,
  );
}

/** A narrow terminal gets several lines, because it would cut one line to fragments. */
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
