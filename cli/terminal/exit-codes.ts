import type { Text } from "../../shared/language.ts";

/** Codes 40 to 53 are the first and the last digit of the HTTP status; the others are the command's own. */
export const EXIT = {
  done: 0,
  unmet: 1,
  usage: 2,
  noAnswer: 3,
  inconclusive: 4,
  urlRefused: 40,
  tokenRefused: 41,
  projectNotFound: 44,
  quotaUsedUp: 49,
  serverFailed: 50,
  serverUnavailable: 53,
  bug: 70,
  notWritten: 74,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<ExitCode, Text>> = {
  0: {
    fr: "terminé, et les conditions éventuelles sont remplies",
    en: "done, and the gate (if any) passed",
  },
  1: {
    fr: "conditions non remplies, ou incident trouvé par --exit-code",
    en: "the gate is not met, or --exit-code found an incident",
  },
  2: {
    fr: "erreur d'utilisation : commande, option ou valeur refusée, fichier illisible",
    en: "usage error: unknown command, flag or ID, bad value, unreadable file",
  },
  3: {
    fr: "aucune réponse utilisable : serveur injoignable, TLS, délai, autre service",
    en: "no usable response: unreachable, TLS, timeout, or another service",
  },
  4: {
    fr: "verdict non concluant, alors qu'il y a des conditions",
    en: "the verdict is inconclusive, and there is a gate",
  },
  40: { fr: "400 : l'URL a été refusée", en: "400: the URL was refused" },
  41: {
    fr: "401 : jeton refusé, ou SHIPSCORE_TOKEN absent ou mal formé",
    en: "401: the token was refused, or SHIPSCORE_TOKEN is unset or malformed",
  },
  44: {
    fr: "404 : projet introuvable, ou invisible avec ce jeton",
    en: "404: project not found, or not visible to this token",
  },
  49: {
    fr: "429 : quota mensuel épuisé, ou trop de lectures en même temps",
    en: "429: the monthly quota is used up, or too many reads at the same time",
  },
  50: { fr: "500 : le serveur a rencontré une erreur", en: "500: the server failed" },
  53: {
    fr: "503 : serveur momentanément indisponible",
    en: "503: the server is temporarily unavailable",
  },
  70: { fr: "bogue dans cette commande", en: "a bug in this command" },
  74: {
    fr: "impossible d'écrire le résultat ou un rapport",
    en: "the result or a report cannot be written",
  },
  130: { fr: "interrompu (Ctrl-C)", en: "interrupted (Ctrl-C)" },
  143: { fr: "arrêté (SIGTERM)", en: "terminated (SIGTERM)" },
};
