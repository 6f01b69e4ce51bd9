import type { Declare } from "./terminal/command.ts";

interface DeclaredCommand {
  readonly summary: string;
  /** What declares its arguments and flags, and what runs it. */
  load(): Promise<Declare>;
}

/** Every command, in the order of the help. */
export const COMMANDS = {
  check: {
    summary: "check a page: its score, what costs points, and how to fix it",
    load: async () => (await import("./commands/check.ts")).declareCheck,
  },
  init: {
    summary: "write shipscore.json: the site, its pages and the gate",
    load: async () => (await import("./commands/init.ts")).declareInit,
  },
  accept: {
    summary: "accept a finding in shipscore.json, with a reason, until a date",
    load: async () => (await import("./commands/accept.ts")).declareAccept,
  },
  projects: {
    summary: "list the projects visible to the token, with state and score",
    load: async () => (await import("./commands/projects.ts")).declareProjects,
  },
  incidents: {
    summary: "list the addresses that are failing now, and since when",
    load: async () => (await import("./commands/incidents.ts")).declareIncidents,
  },
  "last-ship": {
    summary: "show the latest production deployment and its score",
    load: async () => (await import("./commands/last-ship.ts")).declareLastShip,
  },
  explain: {
    summary: "say what a rule measures, why, and how to fix it; asks no server",
    load: async () => (await import("./commands/explain.ts")).declareExplain,
  },
  mcp: {
    summary: "connect an assistant that starts commands to the server's tools",
    load: async () => (await import("./commands/mcp.ts")).declareMcp,
  },
  doctor: {
    summary: "find out why the command cannot reach its server",
    load: async () => (await import("./commands/doctor.ts")).declareDoctor,
  },
  completion: {
    summary: "print the completion script of a shell",
    load: async () => (await import("./commands/completion.ts")).declareCompletion,
  },
  complete: {
    summary: "list what may follow the words typed so far",
    load: async () => (await import("./commands/complete.ts")).declareComplete,
  },
  help: {
    summary: "explain a command or a topic",
    load: async () => (await import("./commands/help.ts")).declareHelp,
  },
} as const satisfies Readonly<Record<string, DeclaredCommand>>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** What only programs call: the help does not name it. */
export const HIDDEN_COMMAND: CommandName = "complete";
