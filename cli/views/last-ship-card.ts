import { describeMoment } from "../../shared/report/times.ts";
import type { Language, Text } from "../../shared/language.ts";
import stringWidth from "string-width";
import type { ReceivedLastShip, ReceivedShip } from "../client/api-responses.ts";

import { describePreviousFiles } from "../../shared/report/previous-files.ts";
import { say } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { padEnd } from "../terminal/layout.ts";
import { describeAge } from "../terminal/words.ts";
import { formatScore } from "./check-head.ts";

const WORDS = {
  nothing: {
    fr: "Aucun déploiement en production pour l'instant.",
    en: "Nothing has been deployed to production yet.",
  },
  pending: {
    fr: "Sa vérification n'est pas terminée.",
    en: "Its check has not finished yet.",
  },
  deployed: { fr: "Déployé le", en: "Deployed" },
  ref: { fr: "Branche ou tag", en: "Ref" },
  commit: { fr: "Commit", en: "Commit" },
  ruleset: { fr: "Version des règles", en: "Ruleset" },
  check: { fr: "Vérification", en: "Check" },
  id: { fr: "Identifiant", en: "ID" },
} satisfies Record<string, Text>;

function describeScore({ score, verdict }: ReceivedShip, screen: Screen): string {
  if (score !== null && verdict !== null) return formatScore({ score, verdict }, screen);
  return screen.chalk.yellow(say(WORDS.pending, screen.language));
}

function describeMomentAndAge(date: string, now: Date, language: Language): string {
  const age = describeAge(date, now, language);
  const ago = { fr: `il y a ${age}`, en: `${age} ago` };
  const isRecent = now.getTime() - Date.parse(date) < 60_000;
  const since = isRecent ? { fr: "à l'instant", en: "just now" } : ago;
  return `${describeMoment(new Date(date), { language })}, ${say(since, language)}`;
}

export function formatLastShipCard(
  { lastShip }: ReceivedLastShip,
  now: Date,
  screen: Screen,
): string {
  const { chalk, language } = screen;
  if (lastShip === null) return `${say(WORDS.nothing, language)}\n`;
  const { id, url, deployedAt, ref, commit, ruleset, checkId, previousFiles } = lastShip;
  const values = [
    [WORDS.deployed, describeMomentAndAge(deployedAt, now, language)],
    [WORDS.ref, ref],
    [WORDS.commit, commit],
    [WORDS.ruleset, ruleset],
    [WORDS.check, checkId],
    [WORDS.id, id],
  ] as const;
  const facts = values.map(([words, value]) => [say(words, language), value] as const);
  const width = Math.max(...facts.map(([label]) => stringWidth(label)));
  const lines = facts
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${chalk.dim(padEnd(label, width))}  ${value}`);
  const previous = previousFiles ? ["", say(describePreviousFiles(previousFiles), language)] : [];
  return `${[url, describeScore(lastShip, screen), "", ...lines, ...previous].join("\n")}\n`;
}
