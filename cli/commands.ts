/** Every command and its summary, in the order of the help. `declarations.ts` has what each takes. */
export const COMMANDS = {
  check: "check a page: its score, what costs points, and how to fix it",
  init: "write shipscore.json: the site, its pages and the gate",
  accept: "accept a finding in shipscore.json, with a reason, until a date",
  projects: "list the projects visible to the token, with state and score",
  incidents: "list the addresses that are failing now, and since when",
  "last-ship": "show the latest production deployment and its score",
  explain: "say what a rule measures, why, and how to fix it; asks no server",
  mcp: "connect an assistant that starts commands to the server's tools",
  doctor: "find out why the command cannot reach its server",
  completion: "print the completion script of a shell",
  complete: "list what may follow the words typed so far",
  help: "explain a command or a topic",
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** What only programs call: the help does not name it. */
export const HIDDEN_COMMAND: CommandName = "complete";
