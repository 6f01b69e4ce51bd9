import { describeMoment } from "../../shared/report/times.ts";
import { describeVerdict, isSingular, say, typeset, WORDS } from "../../shared/report/words.ts";
import type {
  MessageType,
  MessageData,
  MessageIncident,
  MessageShip,
  MessageSummary,
} from "../../shared/message.ts";
import { joinNames, type Language, type Text } from "../../shared/language.ts";
import { plainName } from "../base/syntax/text.ts";

/** Foreign text is a name, a URL or a site's words: each kind of target must escape it. */
export type Line = readonly (string | { readonly foreign: string })[];

export interface MessageText {
  title: Line;
  lines: readonly Line[];
}

const MS_A_MINUTE = 60_000;

const describeTime = (iso: string, language: Language) =>
  describeMoment(new Date(iso), { language });

const UNITS = [
  { minutes: 1440, en: "d", fr: "j" },
  { minutes: 60, en: "h", fr: "h" },
  { minutes: 1, en: "min", fr: "min" },
] as const;

function describeDuration(from: string, to: string, language: Language): string {
  let left = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MS_A_MINUTE));
  const parts: string[] = [];
  for (const unit of UNITS) {
    const count = Math.floor(left / unit.minutes);
    left -= count * unit.minutes;
    if (count > 0) parts.push(`${count} ${unit[language]}`);
  }
  return typeset(parts.slice(0, 2).join(" "), language);
}

const OPENING_QUOTE: Text = { fr: "« ", en: "“" };
const CLOSING_QUOTE: Text = { fr: " »", en: "”" };

/** Quotation marks keep readers from taking foreign text for the server's own words. */
const quote = (foreign: string, language: Language): Line => [
  say(OPENING_QUOTE, language),
  { foreign },
  say(CLOSING_QUOTE, language),
];

const REASON: Text = { fr: "Constaté : ", en: "Found: " };
const UNNAMED: Text = { fr: "Le projet", en: "The project" };

const writeReason = ({ reason }: MessageIncident, language: Language): Line[] =>
  reason === null ? [] : [[say(REASON, language), ...quote(reason[language], language)]];

function writeTitle({ project }: MessageData, what: Text, language: Language): Line {
  const name = plainName(project.name);
  return [...(name === "" ? [say(UNNAMED, language)] : quote(name, language)), say(what, language)];
}

const FAILING_FROM: Text = { fr: "Échec constaté depuis", en: "Failing from" };

const writeLocations = ({ locations }: MessageIncident, language: Language): Line[] =>
  locations ? [[`${say(FAILING_FROM, language)} ${joinNames(locations, language)}.`]] : [];

type Writer<About> = (data: MessageData, about: About, language: Language) => MessageText;

const writeOpening: Writer<MessageIncident> = (data, incident, language) => ({
  title: writeTitle(data, { fr: " : incident en cours", en: ": incident open" }, language),
  lines: [
    [{ foreign: incident.url }],
    ...writeReason(incident, language),
    ...writeLocations(incident, language),
    [
      `${say({ fr: "En échec depuis le", en: "Since" }, language)} ${describeTime(incident.since, language)}.`,
    ],
  ],
});

const writeReminder: Writer<MessageIncident> = (data, incident, language) => ({
  ...writeOpening(data, incident, language),
  title: writeTitle(
    data,
    { fr: " : incident toujours en cours", en: ": incident still open" },
    language,
  ),
});

const writeClosing: Writer<MessageIncident> = (data, incident, language) => {
  const { since } = incident;
  const until = incident.closedAt ?? since;
  const duration = describeDuration(since, until, language);
  return {
    title: writeTitle(data, { fr: " : incident clos", en: ": incident closed" }, language),
    lines: [
      [{ foreign: incident.url }],
      ...writeReason(incident, language),
      [
        say(
          {
            fr: `En échec pendant ${duration}, du ${describeTime(since, "fr")} au ${describeTime(until, "fr")}.`,
            en: `It was failing for ${duration}, from ${describeTime(since, "en")} to ${describeTime(until, "en")}.`,
          },
          language,
        ),
      ],
    ],
  };
};

function writeScores({ score, previousScore }: MessageShip, language: Language): Line[] {
  if (score === null) return [];
  const before =
    previousScore === null
      ? ""
      : say(
          {
            fr: `, contre ${previousScore} au déploiement précédent`,
            en: `, was ${previousScore} at the previous deployment`,
          },
          language,
        );
  return [[`Score ${score}/100${before}.`]];
}

const MAX_CHANGED = 10;
const CHANGED: Text = { fr: "Constats qui ont changé :", en: "Findings that changed:" };

function writeChanges({ changed }: MessageShip, language: Language): Line[] {
  if (changed.length === 0) return [];
  const more = changed.length > MAX_CHANGED ? ", …" : "";
  return [[`${say(CHANGED, language)} ${changed.slice(0, MAX_CHANGED).join(", ")}${more}`]];
}

const MAX_IDS = 20;

function writeIds({ ids }: MessageShip, language: Language): Line[] {
  if (ids.length === 1) return [];
  const count = ids.length;
  const words = { fr: `Pour ${count} déploiements :`, en: `For ${count} deployments:` };
  const more = count > MAX_IDS ? ", …" : "";
  return [[`${say(words, language)} ${ids.slice(0, MAX_IDS).join(", ")}${more}`]];
}

function describeShipVerdict({ verdict }: MessageShip): Text {
  const describe = (language: Language) =>
    `${WORDS.colon[language]}${describeVerdict(verdict ?? "inconclusive", language)}`;
  return { fr: describe("fr"), en: describe("en") };
}

const writeShip: Writer<MessageShip> = (data, ship, language) => ({
  title: writeTitle(data, describeShipVerdict(ship), language),
  lines: [
    [{ foreign: ship.url }],
    ...writeScores(ship, language),
    ...writeChanges(ship, language),
    ...(ship.commit === null ? [] : [["Commit ", ...quote(ship.commit, language)]]),
    ...writeIds(ship, language),
  ],
});

const COUNTED: Readonly<Record<Exclude<MessageType, "summary" | "test">, Text>> = {
  "incident.opened": { fr: "Incidents ouverts", en: "Incidents opened" },
  "incident.reminder": { fr: "Rappels d'incidents", en: "Incident reminders" },
  "incident.closed": { fr: "Incidents clos", en: "Incidents closed" },
  "ship.scored": { fr: "Déploiements", en: "Deployments" },
};

const MAX_NAMED = 10;

const writeSummary: Writer<MessageSummary> = (data, { count, types, first }, language) => ({
  title: writeTitle(
    data,
    {
      fr: ` : ${count} ${isSingular(count, "fr") ? "autre message" : "autres messages"} au cours de la dernière heure`,
      en: `: ${count} more ${isSingular(count, "en") ? "message" : "messages"} in the past hour`,
    },
    language,
  ),
  lines: [
    ...Object.entries(types).map(([type, number]): Line => [
      `${say(COUNTED[type as keyof typeof COUNTED], language)}${say(WORDS.colon, language)}${number}`,
    ]),
    ...first
      .slice(0, MAX_NAMED)
      .map(({ incident, deployment }): Line => [{ foreign: (incident ?? deployment)?.url ?? "" }]),
  ],
});

const writeTest: Writer<null> = (data, _, language) => ({
  title: writeTitle(data, { fr: " : test", en: ": test" }, language),
  lines: [
    [
      say(
        {
          fr: "Ceci est un test : les alertes du projet arriveront ici.",
          en: "This is a test: the project's alerts will arrive here.",
        },
        language,
      ),
    ],
  ],
});

export function writeText(
  { type, data }: { type: MessageType; data: MessageData },
  language: Language,
): MessageText {
  const { incident, deployment, summary } = data;
  if (incident !== null) {
    if (type === "incident.closed") return writeClosing(data, incident, language);
    return (type === "incident.reminder" ? writeReminder : writeOpening)(data, incident, language);
  }
  if (deployment !== null) return writeShip(data, deployment, language);
  return summary ? writeSummary(data, summary, language) : writeTest(data, null, language);
}
