import { say } from "../../../../shared/report/words.ts";
import { Preferences } from "../../../access/account-settings.ts";
import type { Language } from "../../../base/language.ts";
import type { Fields } from "../../kit/forms.ts";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { PROBLEMS } from "./account-words.ts";

type Problems = Readonly<Record<string, string>>;

/** What a select sends for its first option. */
const orNull = (value: string | undefined) => (value === "" ? null : value);

/** The language and the time zone of a form; without them, what is wrong. */
export function readPreferences(
  fields: Fields,
  language: Language,
): { preferences: Preferences | undefined; problems: Problems } {
  const typed = { language: orNull(fields["language"]), timeZone: orNull(fields["time_zone"]) };
  const { success, data, error } = Preferences.safeParse(typed);
  if (success) return { preferences: data, problems: {} };
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  const problems = {
    ...(wrong.has("language") && { language: say(PROBLEMS.language, language) }),
    ...(wrong.has("timeZone") && { time_zone: say(PROBLEMS.timeZone, language) }),
  };
  return { preferences: undefined, problems };
}

/** What is wrong with the address that was typed to confirm the deletion of its account. */
export function readConfirmation(
  fields: Fields,
  { email, language }: Pick<SignedInRequest, "email" | "language">,
): Problems | undefined {
  const typed = (fields["confirm_name"] ?? "").trim().toLowerCase();
  return typed === email ? undefined : { confirm_name: say(PROBLEMS.confirm, language) };
}
