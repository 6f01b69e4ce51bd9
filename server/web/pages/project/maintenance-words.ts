import type { InputFault } from "../../../base/input-faults.ts";
import type { Text } from "../../../../shared/language.ts";
import { MAX_WINDOWS, type Window } from "../../../db/watching/maintenance.ts";
import type { StateWords } from "./state-badges.tsx";

export const MAINTENANCE = {
  word: { fr: "maintenance", en: "maintenance" },
  title: { fr: "Maintenance", en: "Maintenance" },
  lead: {
    fr: "Pendant une maintenance, un échec n'ouvre pas d'incident : personne n'est prévenu, et la disponibilité n'en tient pas compte. Les contrôles continuent. Les URL encore en échec à la fin ouvrent un incident.",
    en: "During maintenance, failures open no incident: nobody is notified, and uptime ignores them. Probes continue. URLs that still fail at the end open an incident.",
  },
  state: { fr: "État", en: "State" },
  when: { fr: "Période", en: "Period" },
  what: { fr: "URL concernées", en: "Affected URLs" },
  all: { fr: "Toutes les URL", en: "All URLs" },
  weekly: { fr: "chaque semaine", en: "every week" },
  end: { fr: "Terminer", en: "End" },
  skip: { fr: "Sauter la prochaine", en: "Skip the next one" },
  remove: { fr: "Retirer", en: "Remove" },
  newOne: { fr: "Nouvelle fenêtre de maintenance", en: "New maintenance window" },
  once: { fr: "Une fois", en: "Once" },
  eachWeek: { fr: "Chaque semaine", en: "Every week" },
  day: { fr: "Jour", en: "Day" },
  from: { fr: "Début", en: "From" },
  to: { fr: "Fin", en: "To" },
  untilHint: {
    fr: "Si l'heure de fin n'est pas postérieure à celle du début, c'est celle du lendemain.",
    en: "If the end time is not later than the start time, the window ends on the following day.",
  },
  zone: { fr: "Fuseau horaire", en: "Time zone" },
  urls: {
    fr: "URL concernées, une par ligne (facultatif)",
    en: "Affected URLs, one per line (optional)",
  },
  urlsHint: {
    fr: "Laissez vide pour toutes les URL du projet.",
    en: "Leave empty for all URLs of the project.",
  },
  note: { fr: "Note (facultative)", en: "Note (optional)" },
  noteHint: { fr: "Elle s'affiche sur la page d'état.", en: "It is shown on the status page." },
  add: { fr: "Ajouter", en: "Add" },
  running: { fr: "Maintenance en cours, jusqu'au", en: "Under maintenance until" },
  planned: { fr: "Maintenance prévue le", en: "Maintenance planned for" },
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

export const WINDOW_FAULTS: Readonly<Partial<Record<InputFault, Text & { field: string }>>> = {
  time_invalid: {
    field: "from",
    fr: "Saisissez le début et la fin sous la forme 2026-11-29T02:00.",
    en: "Enter the start and the end in the form 2026-11-29T02:00.",
  },
  hour_invalid: {
    field: "from",
    fr: "Saisissez l'heure de début et l'heure de fin, par exemple 02:30.",
    en: "Enter a start time and an end time, such as 02:30.",
  },
  window_empty: {
    field: "to",
    fr: "La fin doit être postérieure au début et à l'heure actuelle.",
    en: "The end must be after the start, and in the future.",
  },
  zone_unknown: {
    field: "zone",
    fr: "Ce fuseau horaire est inconnu. Choisissez-en un, par exemple Europe/Paris.",
    en: "This time zone is unknown. Choose one, such as Europe/Paris.",
  },
  note_invalid: {
    field: "note",
    fr: "La note doit tenir sur une ligne de 500 caractères au plus.",
    en: "The note must be one line of at most 500 characters.",
  },
};

export const NOT_WATCHED: Text = {
  fr: "Ce projet ne surveille pas l'une de ces URL. Saisissez-les exactement comme dans la liste des URL surveillées.",
  en: "This project does not watch one of these URLs. Enter them exactly as in the list of watched URLs.",
};

export const TOO_MANY_WINDOWS: Text = {
  fr: `Ce projet a ${MAX_WINDOWS} fenêtres de maintenance en cours ou prévues : c'est le maximum. Terminez-en une d'abord.`,
  en: `This project has ${MAX_WINDOWS} running or planned maintenance windows, which is the limit. End one first.`,
};
