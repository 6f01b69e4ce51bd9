/* The commands besides `check`, by their names: what each takes, and what runs it. */
export { declareAccept as accept } from "./commands/accept.ts";
export { declareComplete as complete } from "./commands/complete.ts";
export { declareCompletion as completion } from "./commands/completion.ts";
export { declareDoctor as doctor } from "./commands/doctor.ts";
export { declareExplain as explain } from "./commands/explain.ts";
export { declareHelp as help } from "./commands/help.ts";
export { declareIncidents as incidents } from "./commands/incidents.ts";
export { declareInit as init } from "./commands/init.ts";
export { declareLastShip as "last-ship" } from "./commands/last-ship.ts";
export { declareMcp as mcp } from "./commands/mcp.ts";
export { declareProjects as projects } from "./commands/projects.ts";
