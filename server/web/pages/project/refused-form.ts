import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";
import type { Fields, Filled } from "../../kit/forms.ts";

/** A form that was refused: what is wrong with it, by the names of its fields. */
export interface Refused {
  status: number;
  problems: Readonly<Record<string, Text>>;
}

export const refuse = (problems: Refused["problems"], status = 422): Refused => ({
  status,
  problems,
});

/** The form as it is shown again. */
export function inWords({ problems }: Refused, values: Fields, language: Language): Filled {
  const said = Object.entries(problems).map(([name, text]) => [name, say(text, language)] as const);
  return { values, problems: Object.fromEntries(said) };
}
