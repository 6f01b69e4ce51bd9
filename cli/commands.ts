import type { CommandEntry } from "./terminal/command.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "check",
    summary: "check a page: its score, what costs points, and how to fix it",
    load: async () => (await import("./commands/check.ts")).declareCheck,
  },
  {
    name: "projects",
    summary: "list the projects visible to the token, with state and score",
    load: async () => (await import("./commands/projects.ts")).declareProjects,
  },
  {
    name: "incidents",
    summary: "list the addresses that are failing now, and since when",
    load: async () => (await import("./commands/incidents.ts")).declareIncidents,
  },
  {
    name: "last-ship",
    summary: "show the latest production deployment and its score",
    load: async () => (await import("./commands/last-ship.ts")).declareLastShip,
  },
  {
    name: "explain",
    summary: "say what a rule measures, why, and how to mend it; asks no server",
    load: async () => (await import("./commands/explain.ts")).declareExplain,
  },
  {
    name: "mcp",
    summary: "connect an assistant that starts commands to the server's tools",
    load: async () => (await import("./commands/mcp.ts")).declareMcp,
  },
  {
    name: "doctor",
    summary: "find out why the command cannot reach its server",
    load: async () => (await import("./commands/doctor.ts")).declareDoctor,
  },
  {
    name: "completion",
    summary: "print the completion script of a shell",
    load: async () => (await import("./commands/completion.ts")).declareCompletion,
  },
  {
    name: "complete",
    summary: "list what may follow the words typed so far",
    isHidden: true,
    load: async () => (await import("./commands/complete.ts")).declareComplete,
  },
  {
    name: "help",
    summary: "explain a command or a topic",
    load: async () => (await import("./commands/help.ts")).declareHelp,
  },
];
