import { text } from "../../server/judge/rule.ts";
import { RULESET } from "../../server/judge/ruleset.ts";

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What the command knows of the newest ruleset: which rules there are, and apart, for they are long, what they say. */
export const RULE_BOOK_PAGES: Readonly<Record<string, () => string>> = {
  "cli/rules/ids.json": () =>
    formatJson(Object.fromEntries(RULESET.rows.map(({ id, category }) => [id, category]))),
  "cli/rules/texts.json": () =>
    formatJson(
      Object.fromEntries(
        RULESET.rows.map(({ id, points, rule: { title, measures, matters, fix } }) => [
          id,
          { points, title, measures, why: matters, fix: text(fix.fr, fix.en) },
        ]),
      ),
    ),
};
