import type { CommandName } from "./commands.ts";
import type { Declare } from "./terminal/command.ts";
import { declareAccept } from "./commands/accept.ts";
import { declareComplete } from "./commands/complete.ts";
import { declareCompletion } from "./commands/completion.ts";
import { declareDoctor } from "./commands/doctor.ts";
import { declareExplain } from "./commands/explain.ts";
import { declareHelp } from "./commands/help.ts";
import { declareIncidents } from "./commands/incidents.ts";
import { declareInit } from "./commands/init.ts";
import { declareLastShip } from "./commands/last-ship.ts";
import { declareMcp } from "./commands/mcp.ts";
import { declareProjects } from "./commands/projects.ts";

export const DECLARATIONS: Readonly<Record<Exclude<CommandName, "check">, Declare>> = {
  init: declareInit,
  accept: declareAccept,
  projects: declareProjects,
  incidents: declareIncidents,
  "last-ship": declareLastShip,
  explain: declareExplain,
  mcp: declareMcp,
  doctor: declareDoctor,
  completion: declareCompletion,
  complete: declareComplete,
  help: declareHelp,
};
