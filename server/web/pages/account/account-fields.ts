import { Preferences } from "../../../access/account-settings.ts";
import { refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { PROBLEMS } from "./account-words.ts";

/** What a select sends for its first option. */
const orNull = (value: string | undefined) => (value === "" ? null : value);

/** The language and the time zone of a form; or what is wrong. */
export function readPreferences(fields: Fields): Preferences | Refused {
  const typed = { language: orNull(fields["language"]), timeZone: orNull(fields["time_zone"]) };
  const { data, error } = Preferences.safeParse(typed);
  if (data !== undefined) return data;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  return refuse({
    ...(wrong.has("language") && { language: PROBLEMS.language }),
    ...(wrong.has("timeZone") && { time_zone: PROBLEMS.timeZone }),
  });
}

/** What is wrong with the address that was typed to confirm the deletion of its account. */
export function readConfirmation(fields: Fields, email: string): Refused | undefined {
  const typed = (fields["confirm_name"] ?? "").trim().toLowerCase();
  return typed === email ? undefined : refuse({ confirm_name: PROBLEMS.confirm });
}
