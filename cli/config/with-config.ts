/* What a run with a file of settings loads at once, in one file; a run without it loads none of this. */
export { readConfigFile } from "./config-file.ts";
export { configure } from "./configured.ts";
export { trackAcceptances } from "./used-acceptances.ts";
export { openSite } from "./site.ts";
export { checkOwnFile } from "./inside.ts";
export { addAcceptance, readNewAcceptance } from "./edit.ts";
export { writeConfig } from "./init.ts";
