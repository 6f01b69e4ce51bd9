import { describeManual } from "./man-page.ts";
import { describeRules } from "./rules.ts";
import { SCHEMA_PAGES } from "./schemas.ts";

/** The generated files of docs/, by name. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "rules.md": describeRules,
  "shipscore.1": describeManual,
  ...SCHEMA_PAGES,
};
