import type { Text } from "../../shared/language.ts";
import texts from "./texts.json" with { type: "json" };

/** `cap` is the maximum score of a page that fails the rule; `fixLine` holds the lines to paste. */
export interface RuleTexts {
  readonly points: number;
  readonly cap: number | null;
  readonly title: Text;
  readonly measures: Text;
  readonly why: Text;
  readonly fix: Text;
  readonly fixLine: string | null;
}

const TEXTS: Readonly<Record<string, RuleTexts>> = texts;

export function findTexts(id: string): RuleTexts | undefined {
  return Object.hasOwn(TEXTS, id) ? TEXTS[id] : undefined;
}
