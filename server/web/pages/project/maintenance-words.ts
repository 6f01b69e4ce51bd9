import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { MAX_WINDOWS, type Window } from "../../../db/watching/maintenance.ts";
import type { StateWords } from "./state-badges.tsx";

export const MAINTENANCE = {
  word: { fr: "maintenance", en: "maintenance" },
  title: { fr: "Maintenance", en: "Maintenance" },
  lead: {
    fr: "Pendant une maintenance, un échec n'est pas un incident : personne n'est prévenu, et la disponibilité n'en tient pas compte. Les vérifications continuent. Ce qui est encore en échec à la fin devient un incident.",
    en: "During maintenance a failure is not an incident: nobody is told, and uptime leaves it out. Checks go on. What still fails at the end becomes an incident.",
  },
  state: { fr: "État", en: "State" },
  when: { fr: "Quand", en: "When" },
  what: { fr: "Quoi", en: "What" },
  all: { fr: "Toutes les URL", en: "All URLs" },
  weekly: { fr: "chaque semaine", en: "every week" },
  end: { fr: "Terminer", en: "End" },
  skip: { fr: "Sauter", en: "Skip" },
  remove: { fr: "Retirer", en: "Remove" },
  newOne: { fr: "Nouvelle fenêtre", en: "New window" },
  once: { fr: "Une fois", en: "Once" },
  eachWeek: { fr: "Chaque semaine", en: "Every week" },
  day: { fr: "Jour", en: "Day" },
  from: { fr: "Début", en: "From" },
  to: { fr: "Fin", en: "To" },
  untilHint: {
    fr: "Une heure qui n'est pas après le début est celle du lendemain.",
    en: "A time that is not after the beginning is on the day after.",
  },
  zone: { fr: "Fuseau horaire", en: "Time zone" },
  urls: { fr: "URL concernées, une par ligne (facultatif)", en: "URLs, one per line (optional)" },
  urlsHint: {
    fr: "Laissez vide pour toutes celles du projet.",
    en: "Leave empty for all of the project.",
  },
  note: { fr: "Note (facultative)", en: "Note (optional)" },
  noteHint: { fr: "Elle est sur la page d'état.", en: "It is on the status page." },
  add: { fr: "Ajouter", en: "Add" },
  runs: { fr: "Maintenance en cours, jusqu'au", en: "Under maintenance until" },
  comes: { fr: "Maintenance prévue le", en: "Maintenance planned for" },
} satisfies Record<string, Text>;

export const DAYS_OF_WEEK: readonly (readonly [day: string, name: Text])[] = [
  ["monday", { fr: "lundi", en: "Monday" }],
  ["tuesday", { fr: "mardi", en: "Tuesday" }],
  ["wednesday", { fr: "mercredi", en: "Wednesday" }],
  ["thursday", { fr: "jeudi", en: "Thursday" }],
  ["friday", { fr: "vendredi", en: "Friday" }],
  ["saturday", { fr: "samedi", en: "Saturday" }],
  ["sunday", { fr: "dimanche", en: "Sunday" }],
];

export const WINDOW_STATES: Readonly<Record<Window["state"], StateWords>> = {
  running: { sign: "▲", tone: "warn", words: { fr: "En cours", en: "Running" } },
  planned: { sign: "○", tone: "soft", words: { fr: "Prévue", en: "Planned" } },
  over: { sign: "●", tone: "soft", words: { fr: "Terminée", en: "Over" } },
};

/** The field that a fault is about, and what to do. */
export const WINDOW_FAULTS: Readonly<Partial<Record<InputFault, Text & { field: string }>>> = {
  time_invalid: {
    field: "from",
    fr: "Donnez le début et la fin ainsi : 2026-11-29T02:00.",
    en: "Give the beginning and the end like this: 2026-11-29T02:00.",
  },
  hour_invalid: {
    field: "from",
    fr: "Donnez deux heures, comme 02:30.",
    en: "Give two times, such as 02:30.",
  },
  window_empty: {
    field: "to",
    fr: "La fenêtre doit finir après son début, et après maintenant.",
    en: "The window has to end after it begins, and after now.",
  },
  zone_unknown: {
    field: "zone",
    fr: "Ce fuseau est inconnu. Choisissez-en un, comme Europe/Paris.",
    en: "This zone is unknown. Choose one, such as Europe/Paris.",
  },
  note_invalid: {
    field: "note",
    fr: "Une note a 500 caractères au plus, sur une ligne.",
    en: "A note is one line of at most 500 characters.",
  },
};

export const NOT_WATCHED: Text = {
  fr: "Ce projet ne surveille pas l'une de ces URL. Écrivez-les comme il les surveille.",
  en: "This project does not watch one of these URLs. Write them as it watches them.",
};

export const TOO_MANY_WINDOWS: Text = {
  fr: `Ce projet a ${MAX_WINDOWS} fenêtres en cours ou prévues, le maximum. Terminez-en une d'abord.`,
  en: `This project has ${MAX_WINDOWS} windows that run or are planned, the most allowed. End one first.`,
};
