import type { StatusPage, StatusUrl } from "../../../db/projects/status-pages.ts";
import type { Text } from "../../../base/language.ts";

/** A state in a sign, a colour and words: of a URL, and of all. */
interface StateWords {
  sign: string;
  tone: "good" | "warn" | "bad" | "soft";
  words: Text;
}

export type PageState = StatusUrl["state"] | "degraded";

export const URL_STATES: Readonly<Record<StatusUrl["state"], StateWords>> = {
  up: { sign: "●", tone: "good", words: { fr: "En ligne", en: "Up" } },
  down: { sign: "■", tone: "bad", words: { fr: "Hors service", en: "Down" } },
  maintenance: { sign: "◆", tone: "warn", words: { fr: "En maintenance", en: "Maintenance" } },
  unknown: { sign: "○", tone: "soft", words: { fr: "Inconnu", en: "Not known" } },
};

export const PAGE_STATES: Readonly<Record<PageState, StateWords>> = {
  ...URL_STATES,
  up: { sign: "●", tone: "good", words: { fr: "Tout est en ligne", en: "Everything is up" } },
  degraded: {
    sign: "▲",
    tone: "warn",
    words: { fr: "Une partie est hors service", en: "Partly down" },
  },
};

/** Down where the project's address is, or all that is known: else degraded. What is not known counts for neither. */
export function stateOf({ urls }: Pick<StatusPage, "urls">): PageState {
  const known = urls.filter(({ state }) => state !== "unknown");
  const down = known.filter(({ state }) => state === "down");
  if (known.length === 0) return "unknown";
  if (down.length === known.length || down.some(({ isAddress }) => isAddress)) return "down";
  if (down.length > 0) return "degraded";
  return known.some(({ state }) => state === "maintenance") ? "maintenance" : "up";
}

export const WORDS = {
  status: { fr: "État de", en: "Status of" },
  describes: {
    fr: "Ce qui fonctionne maintenant, la disponibilité des 90 derniers jours, les incidents et la maintenance prévue.",
    en: "What works now, the uptime of the last 90 days, incidents and the maintenance that is planned.",
  },
  now: { fr: "Maintenant", en: "Now" },
  score: { fr: "Ship Score", en: "Ship Score" },
  nothing: { fr: "Cette page ne montre encore rien.", en: "This page shows nothing yet." },
  uptime: { fr: "en ligne", en: "uptime" },
  first: { fr: "il y a 90 j", en: "90 days ago" },
  today: { fr: "aujourd'hui", en: "today" },
  noUptime: { fr: "Pas encore mesuré", en: "Not measured yet" },
  maintenance: { fr: "Maintenance", en: "Maintenance" },
  incidents: { fr: "Incidents", en: "Incidents" },
  noIncidents: { fr: "Aucun incident en 90 jours.", en: "No incident in 90 days." },
  since: { fr: "depuis le", en: "since" },
  updated: { fr: "Vérifié le", en: "As of" },
  feed: { fr: "Flux Atom", en: "Atom feed" },
  by: { fr: "Surveillé par shipscore", en: "Watched by shipscore" },
} as const satisfies Record<string, Text>;
