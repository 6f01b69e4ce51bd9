import { explainRuleTool } from "./explain-rule.ts";
import { lastShipTool } from "./last-ship.ts";
import { listIncidentsTool } from "./list-incidents.ts";
import { listProjectsTool } from "./list-projects.ts";
import { runCheckTool } from "./run-check.ts";
import type { Tool } from "./tool.ts";

/** Clients list the tools in this order. */
export const TOOLS: readonly Tool[] = [
  runCheckTool,
  listProjectsTool,
  listIncidentsTool,
  lastShipTool,
  explainRuleTool,
];
