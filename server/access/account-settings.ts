import * as z from "zod";
import { updatePreferences } from "../db/accounts/accounts.ts";
import type { ForAccount, Manager, SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { deleteLinks } from "../db/accounts/links.ts";
import { replacePassword } from "../db/accounts/passwords.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { LANGUAGES } from "../../shared/language.ts";
import { hashPassword, withPasswordPermit } from "./passwords.ts";
import { endOtherSessions } from "./sessions.ts";

/** Node still lists some time zones under their old names; these are the current ones. */
const RENAMED: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Louisville": "America/Kentucky/Louisville",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
};

const SUPPORTED = Intl.supportedValuesOf("timeZone");

export const TIME_ZONES: readonly string[] = [
  ...new Set(["UTC", ...SUPPORTED.map((name) => RENAMED[name] ?? name).toSorted()]),
];

/** Also true for an old name of the IANA database, since browsers still report those. */
export const isTimeZone = (name: string): boolean =>
  TIME_ZONES.includes(name) || SUPPORTED.includes(name);

/** A null language means the browser's language; a null time zone means that of the next sign-in. Omitted fields do not change. */
export const Preferences = z.object({
  language: z.enum(LANGUAGES).nullable().optional(),
  timeZone: z.string().refine(isTimeZone).nullable().optional(),
});
export type Preferences = z.infer<typeof Preferences>;

export function changePreferences(
  { database }: StoreDeps,
  actor: SessionActor,
  preferences: Preferences,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    const former = await updatePreferences(sql, accountId, preferences);
    const { language = former?.language, timeZone = former?.timeZone } = preferences;
    if (language !== former?.language)
      await insertEvent(sql, actor, { action: "account.language_changed", accountId });
    if (timeZone !== former?.timeZone)
      await insertEvent(sql, actor, { action: "account.time_zone_changed", accountId });
  });
}

/** Throws `password_refused` and `busy`. */
export async function changePassword(
  deps: Deps,
  actor: SessionActor,
  password: string,
): Promise<void> {
  const { accountId } = actor;
  const next = await withPasswordPermit(deps, { accountId }, () => hashPassword(password));
  await deps.database.begin(async (sql) => {
    await replacePassword(sql, accountId, next);
    await deleteLinks(sql, accountId);
    await insertEvent(sql, actor, { action: "account.password_changed", accountId });
    await endOtherSessions(sql, actor, accountId);
  });
}

export function signOutOtherSessions(
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
): Promise<void> {
  return database.begin((sql) => endOtherSessions(sql, actor, actor.accountId));
}
