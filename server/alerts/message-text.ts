import { describeMoment } from "../../shared/report/times.ts";
import { describeVerdict, say, WORDS } from "../../shared/report/words.ts";
import type {
  MessageType,
  MessageData,
  MessageIncident,
  MessageShip,
  MessageSummary,
} from "../../shared/message.ts";
import { joinNames, type Language, type Text } from "../../shared/language.ts";
import { plainName } from "../base/syntax/text.ts";

/**
 * A line of a message: our own words, and what others chose (a name, a URL, what a site said), which each kind of target
 * must render so that it is nothing but text.
 */
export type Line = readonly (string | { readonly foreign: string })[];

export interface MessageText {
  title: Line;
  lines: readonly Line[];
}

const MS_A_MINUTE = 60_000;

const spellTime = (iso: string, language: Language) => describeMoment(new Date(iso), { language });

const UNITS = [
  { minutes: 1440, en: "d", fr: "j" },
  { minutes: 60, en: "h", fr: "h" },
  { minutes: 1, en: "min", fr: "min" },
] as const;

/** The two largest units of a time, such as `2 h 5 min`. */
function spellDuration(from: string, to: string, language: Language): string {
  let left = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MS_A_MINUTE));
  const parts: string[] = [];
  for (const unit of UNITS) {
    const count = Math.floor(left / unit.minutes);
    left -= count * unit.minutes;
    if (count > 0) parts.push(`${count} ${unit[language]}`);
  }
  return parts.slice(0, 2).join(" ");
}

/** What others chose stands in quotation marks, so that nobody takes it for a sentence of ours. */
const quote = (foreign: string, language: Language): Line =>
  language === "fr" ? ["«\u00a0", { foreign }, "\u00a0»"] : ["“", { foreign }, "”"];

const SEEN: Text = { fr: "Constat : ", en: "Seen: " };
const UNNAMED: Text = { fr: "Le projet", en: "The project" };

const writeReason = ({ reason }: MessageIncident, language: Language): Line[] =>
  reason === null ? [] : [[say(SEEN, language), ...quote(reason[language], language)]];

/** What has happened to a project, after its name. */
function writeTitle({ project }: MessageData, what: string, language: Language): Line {
  const name = plainName(project.name);
  return [...(name === "" ? [say(UNNAMED, language)] : quote(name, language)), what];
}

const FAILS_FROM: Text = { fr: "Échec constaté depuis", en: "Fails from" };

const writeLocations = ({ locations }: MessageIncident, language: Language): Line[] =>
  locations ? [[`${say(FAILS_FROM, language)} ${joinNames(locations, language)}.`]] : [];

type Write<About> = (data: MessageData, about: About, language: Language) => MessageText;

const writeOpening: Write<MessageIncident> = (data, incident, language) => ({
  title: writeTitle(data, say({ fr: " : en panne", en: ": failing" }, language), language),
  lines: [
    [{ foreign: incident.url }],
    ...writeReason(incident, language),
    ...writeLocations(incident, language),
    [`${say({ fr: "Depuis le", en: "Since" }, language)} ${spellTime(incident.since, language)}.`],
  ],
});

const writeReminder: Write<MessageIncident> = (data, incident, language) => ({
  ...writeOpening(data, incident, language),
  title: writeTitle(
    data,
    say({ fr: " : toujours en panne", en: ": still failing" }, language),
    language,
  ),
});

const writeClosing: Write<MessageIncident> = (data, incident, language) => {
  const { since } = incident;
  const until = incident.closedAt ?? since;
  const duration = spellDuration(since, until, language);
  return {
    title: writeTitle(data, say({ fr: " : rétabli", en: ": works again" }, language), language),
    lines: [
      [{ foreign: incident.url }],
      ...writeReason(incident, language),
      [
        say(
          {
            fr: `En panne pendant ${duration}, du ${spellTime(since, "fr")} au ${spellTime(until, "fr")}.`,
            en: `It failed for ${duration}, from ${spellTime(since, "en")} to ${spellTime(until, "en")}.`,
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
            en: `, was ${previousScore} at the deployment before`,
          },
          language,
        );
  return [[`Score ${score}/100${before}.`]];
}

const MAX_CHANGED = 10;
const CHANGED: Text = { fr: "Règles dont le résultat a changé :", en: "Findings that changed:" };

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

const writeShip: Write<MessageShip> = (data, ship, language) => ({
  title: writeTitle(
    data,
    `${say(WORDS.colon, language)}${describeVerdict(ship.verdict ?? "inconclusive", language)}`,
    language,
  ),
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
  "incident.closed": { fr: "Incidents terminés", en: "Incidents closed" },
  "ship.scored": { fr: "Déploiements", en: "Deployments" },
};

const MAX_NAMED = 10;

const writeSummary: Write<MessageSummary> = (data, { count, types, first }, language) => ({
  title: writeTitle(
    data,
    say(
      {
        fr: ` : ${count} autres messages pendant l’heure passée`,
        en: `: ${count} more messages in the past hour`,
      },
      language,
    ),
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

const writeTest: Write<null> = (data, _, language) => ({
  title: writeTitle(data, say({ fr: " : essai", en: ": test" }, language), language),
  lines: [
    [
      say(
        {
          fr: "Ceci est un essai : les alertes du projet arrivent ici.",
          en: "This is a test: the alerts of the project arrive here.",
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
