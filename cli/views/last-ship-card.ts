import { describeMoment } from "../../shared/report/times.ts";
import type { Language, Text } from "../../shared/language.ts";
import stringWidth from "string-width";
import type { ReceivedLastShip, ReceivedShip } from "../client/api-responses.ts";

import { say } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { padEnd } from "../terminal/layout.ts";
import { describeAge } from "../terminal/words.ts";
import { formatScore } from "./check-head.ts";

const SAID = {
  nothing: { fr: "Rien n'a encore été livré.", en: "Nothing was shipped yet." },
  pending: {
    fr: "Sa vérification n'est pas terminée.",
    en: "Its verification has not ended yet.",
  },
  shipped: { fr: "Livrée", en: "Shipped" },
  ref: { fr: "Branche", en: "Ref" },
  commit: { fr: "Commit", en: "Commit" },
  ruleset: { fr: "Règles", en: "Ruleset" },
  check: { fr: "Vérification", en: "Check" },
  id: { fr: "Identifiant", en: "Id" },
} satisfies Record<string, Text>;

function describeScore({ score, verdict }: ReceivedShip, screen: Screen): string {
  if (score !== null && verdict !== null) return formatScore({ score, verdict }, screen);
  return screen.chalk.yellow(say(SAID.pending, screen.language));
}

function describeMomentAndAge(date: string, now: Date, language: Language): string {
  const age = describeAge(date, now, language);
  const ago = { fr: `il y a ${age}`, en: `${age} ago` };
  return `${describeMoment(new Date(date), { language })}, ${ago[language]}`;
}

export function formatLastShipCard(
  { lastShip }: ReceivedLastShip,
  now: Date,
  screen: Screen,
): string {
  const { chalk, language } = screen;
  if (lastShip === null) return `${say(SAID.nothing, language)}\n`;
  const { id, url, deployedAt, ref, commit, ruleset, checkId } = lastShip;
  const values = [
    [SAID.shipped, describeMomentAndAge(deployedAt, now, language)],
    [SAID.ref, ref],
    [SAID.commit, commit],
    [SAID.ruleset, ruleset],
    [SAID.check, checkId],
    [SAID.id, id],
  ] as const;
  const facts = values.map(([words, value]) => [say(words, language), value] as const);
  const width = Math.max(...facts.map(([label]) => stringWidth(label)));
  const lines = facts
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${chalk.dim(padEnd(label, width))}  ${value}`);
  return `${[url, describeScore(lastShip, screen), "", ...lines].join("\n")}\n`;
}
