import type { Language, Text } from "../../shared/language.ts";
import type { ReceivedProjectList } from "../client/api-responses.ts";

import { say } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeAge, stateStyle } from "../terminal/words.ts";

const TITLES = {
  state: { fr: "ÉTAT", en: "STATE" },
  since: { fr: "DEPUIS", en: "FOR" },
  name: { fr: "NOM", en: "NAME" },
  url: { fr: "URL", en: "URL" },
} satisfies Record<string, Text>;

const STATES: Readonly<Record<string, Text>> = {
  up: { fr: "en ligne", en: "up" },
  degraded: { fr: "dégradé", en: "degraded" },
  down: { fr: "en panne", en: "down" },
  unknown: { fr: "inconnu", en: "unknown" },
};

const NONE: Text = {
  fr: "Aucun projet visible avec ce jeton pour l'instant.",
  en: "No project is visible to this token yet.",
};

/** A newer server may have states that this command does not know. */
const describeState = (state: string, language: Language) =>
  Object.hasOwn(STATES, state) ? (STATES[state]?.[language] ?? state) : state;

export function formatProjectTable(
  { projects }: ReceivedProjectList,
  now: Date,
  screen: Screen,
): string {
  const { chalk, language } = screen;
  if (projects.length === 0) return `${say(NONE, language)}\n`;
  const rows = projects.map(({ state, stateSince, score, name, url }) => [
    describeState(state, language),
    stateSince === null ? "" : describeAge(stateSince, now, language),
    score === null ? "-" : String(score),
    name,
    url,
  ]);
  const styles = new Map(
    projects.map(({ state }) => [describeState(state, language), stateStyle(state, chalk)]),
  );
  const columns = [
    {
      title: say(TITLES.state, language),
      style: (text: string) => styles.get(text.trim())?.(text) ?? text,
    },
    { title: say(TITLES.since, language), align: "right" as const },
    { title: "SCORE", align: "right" as const },
    { title: say(TITLES.name, language) },
    { title: say(TITLES.url, language) },
  ];
  return formatTable(columns, rows, screen);
}
