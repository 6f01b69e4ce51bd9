import { describeManual } from "./man-page.ts";
import { RULE_BOOK_PAGES } from "./rule-book.ts";
import { describeRules } from "./rules.ts";
import { SCHEMA_PAGES } from "./schemas.ts";

export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  "docs/rules.md": describeRules,
  "docs/shipscore.1": describeManual,
  ...SCHEMA_PAGES,
  ...RULE_BOOK_PAGES,
};
