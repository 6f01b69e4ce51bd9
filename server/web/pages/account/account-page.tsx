import { say } from "../../../../shared/report/words.ts";
import { TIME_ZONES } from "../../../access/account-settings.ts";
import { limitOf } from "../../../access/plans.ts";
import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import type { EventPage } from "../../../db/accounts/events.ts";
import type { Notice as Told } from "../../../db/accounts/notices.ts";
import { Field, Select } from "../../kit/components.tsx";
import { Did } from "../../kit/did.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { PASSWORD_HINT } from "../../kit/session/password-words.ts";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS, DONE, PLAN_WORDS } from "./account-words.ts";
import { AfterPassword, type AfterPasswordProps } from "./after-password.tsx";
import { Deletion } from "./delete-section.tsx";
import { Events } from "./events.tsx";
import { Notices } from "./notices-section.tsx";
import { Passkeys } from "./passkeys-page.tsx";
import { SecondFactor } from "./second-factor-page.tsx";
import { Sessions } from "./sessions-section.tsx";

/** The forms of the page, by what the paths that they are sent to begin with. */
export const FORMS = {
  password: "/settings/account",
  email: "/settings/account/email",
  sessions: "/settings/account/sessions",
  preferences: "/settings/account/preferences",
  delete: "/settings/account/delete",
} as const;

export interface AccountPageProps {
  signedIn: SignedInRequest;
  settings: AccountSettings;
  events: EventPage;
  notices: readonly Told[];
  /** What still opens the account; undefined unless its password has just changed. */
  open: Pick<AfterPasswordProps, "settings" | "passkeys"> | undefined;
  /** What each form shows. */
  filled: Readonly<Record<keyof typeof FORMS, Filled>>;
  /** What has just been done. */
  done: keyof typeof DONE | undefined;
  sendsMail: boolean;
}

interface PartProps {
  signedIn: SignedInRequest;
  settings: AccountSettings;
  filled: Filled;
}

function Email({
  signedIn,
  filled,
  sendsMail,
}: Omit<PartProps, "settings"> & { sendsMail: boolean }) {
  const { language, email } = signedIn;
  const { values, problems } = filled;
  return (
    <Section id="address" title={say(WORDS.email, language)}>
      <p>
        {say(WORDS.emailIs, language)} <strong>{email}</strong>.
      </p>
      {!sendsMail && <p class="soft">{say(WORDS.noMail, language)}</p>}
      {sendsMail && (
        <form method="post" action={FORMS.email}>
          <Field
            name="email"
            label={say(WORDS.newEmail, language)}
            hint={say(WORDS.newEmailHint, language)}
            type="email"
            autocomplete="email"
            value={values["email"]}
            problem={problems["email"]}
          />
          <ConfirmField
            signedIn={signedIn}
            problem={problems["current_password"]}
            id="email-current_password"
          />
          <button type="submit">{say(WORDS.changeEmail, language)}</button>
        </form>
      )}
    </Section>
  );
}

function Password({ signedIn, filled: { problems } }: Omit<PartProps, "settings">) {
  const { language, hasPassword } = signedIn;
  return (
    <Section id="password" title={say(WORDS.password, language)}>
      <form method="post" action={FORMS.password}>
        {!hasPassword && <p>{say(WORDS.noPassword, language)}</p>}
        <ConfirmField
          signedIn={signedIn}
          problem={problems["current_password"]}
          isAlways={hasPassword}
        />
        <Field
          name="new_password"
          label={say(WORDS.newPassword, language)}
          hint={`${say(PASSWORD_HINT, language)} ${say(WORDS.passwordEnds, language)}`}
          type="password"
          autocomplete="new-password"
          problem={problems["new_password"]}
        />
        <button type="submit">{say(WORDS.changePassword, language)}</button>
      </form>
    </Section>
  );
}

function Preferences({ signedIn, settings, filled: { values, problems } }: PartProps) {
  const { language } = signedIn;
  return (
    <Section id="preferences" title={say(WORDS.preferences, language)}>
      <form method="post" action={FORMS.preferences}>
        <Select
          name="language"
          label={say(WORDS.language, language)}
          value={values["language"] ?? settings.language ?? ""}
          options={[
            ["", say(WORDS.ofBrowser, language)],
            ["fr", "Français"],
            ["en", "English"],
          ]}
          problem={problems["language"]}
        />
        <Field
          name="time_zone"
          label={say(WORDS.timeZone, language)}
          hint={say(WORDS.timeZoneHint, language)}
          value={values["time_zone"] ?? signedIn.timeZone ?? ""}
          placeholder="UTC"
          suggestions={TIME_ZONES}
          problem={problems["time_zone"]}
        />
        <button type="submit">{say(WORDS.save, language)}</button>
      </form>
    </Section>
  );
}

function Plan({ signedIn }: Pick<PartProps, "signedIn">) {
  const { plan, language } = signedIn;
  return (
    <Section id="plan" title={say(WORDS.plan, language)}>
      <p>{say(PLAN_WORDS[plan](limitOf(signedIn)), language)}</p>
      <p class="soft">
        {say(WORDS.planChange, language)} {say(WORDS.used30, language)}{" "}
        <a href="/settings/api">{say(WORDS.api, language)}</a>.
      </p>
    </Section>
  );
}

/** The settings of an account, and what happened to it. */
export function AccountPage(props: AccountPageProps) {
  const { signedIn, settings, events, notices, open, filled, done, sendsMail } = props;
  const { language } = signedIn;
  return (
    <>
      <h1>{say(WORDS.title, language)}</h1>
      {done !== undefined && <Did said={DONE[done]} language={language} />}
      <Notices notices={notices} signedIn={signedIn} />
      {open && <AfterPassword {...open} signedIn={signedIn} />}
      <Email signedIn={signedIn} filled={filled.email} sendsMail={sendsMail} />
      <Password signedIn={signedIn} filled={filled.password} />
      <Passkeys signedIn={signedIn} />
      <SecondFactor signedIn={signedIn} />
      <Sessions settings={settings} signedIn={signedIn} filled={filled.sessions} />
      <Preferences signedIn={signedIn} settings={settings} filled={filled.preferences} />
      <Plan signedIn={signedIn} />
      <Events found={events} reader={signedIn} />
      <Deletion projects={settings.projects} filled={filled.delete} signedIn={signedIn} />
    </>
  );
}
