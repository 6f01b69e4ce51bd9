import type { Text } from "../shared/language.ts";
import type { Declare } from "./terminal/command.ts";

interface DeclaredCommand {
  readonly summary: Text;
  load(): Promise<Declare>;
}

/** In the order of the help. */
export const COMMANDS = {
  check: {
    summary: {
      fr: "vérifier une page : son score, ce qui coûte des points et la correction",
      en: "check a page: its score, what costs points, and how to fix it",
    },
    load: async () => (await import("./commands/check.ts")).declareCheck,
  },
  init: {
    summary: {
      fr: "écrire shipscore.json : le site, ses pages et les conditions",
      en: "write shipscore.json: the site, its pages and the gate",
    },
    load: async () => (await import("./commands/init.ts")).declareInit,
  },
  accept: {
    summary: {
      fr: "accepter un constat dans shipscore.json, avec une raison, jusqu'à une date",
      en: "accept a finding in shipscore.json, with a reason, until a date",
    },
    load: async () => (await import("./commands/accept.ts")).declareAccept,
  },
  projects: {
    summary: {
      fr: "lister les projets visibles avec ce jeton, leur état et leur score",
      en: "list the projects visible to the token, with state and score",
    },
    load: async () => (await import("./commands/projects.ts")).declareProjects,
  },
  incidents: {
    summary: {
      fr: "lister les URL actuellement en échec, et depuis quand",
      en: "list the URLs that are failing now, and since when",
    },
    load: async () => (await import("./commands/incidents.ts")).declareIncidents,
  },
  "last-ship": {
    summary: {
      fr: "afficher le dernier déploiement en production et son score",
      en: "show the latest production deployment and its score",
    },
    load: async () => (await import("./commands/last-ship.ts")).declareLastShip,
  },
  explain: {
    summary: {
      fr: "expliquer une règle : ce qui est vérifié, l'enjeu et la correction",
      en: "explain a rule: what is checked, why it matters, and the fix",
    },
    load: async () => (await import("./commands/explain.ts")).declareExplain,
  },
  mcp: {
    summary: {
      fr: "connecter un assistant aux outils du serveur, par stdin et stdout",
      en: "connect an assistant to the server's tools over stdin and stdout",
    },
    load: async () => (await import("./commands/mcp.ts")).declareMcp,
  },
  doctor: {
    summary: {
      fr: "trouver pourquoi la commande n'atteint pas son serveur",
      en: "find out why the command cannot reach its server",
    },
    load: async () => (await import("./commands/doctor.ts")).declareDoctor,
  },
  completion: {
    summary: {
      fr: "afficher le script de complétion d'un shell",
      en: "print the completion script of a shell",
    },
    load: async () => (await import("./commands/completion.ts")).declareCompletion,
  },
  complete: {
    summary: {
      fr: "lister les mots qui peuvent suivre ceux déjà saisis",
      en: "list the words that can follow those typed so far",
    },
    load: async () => (await import("./commands/complete.ts")).declareComplete,
  },
  help: {
    summary: { fr: "expliquer une commande ou un sujet", en: "explain a command or a topic" },
    load: async () => (await import("./commands/help.ts")).declareHelp,
  },
} as const satisfies Readonly<Record<string, DeclaredCommand>>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** Completion scripts call this command. The help does not list it. */
export const HIDDEN_COMMAND: CommandName = "complete";
