import { runCheckTool } from "./run-check.ts";
import type { Tool } from "./tool.ts";

/** In the order in which clients list them. */
export const TOOLS: readonly Tool[] = [runCheckTool];
