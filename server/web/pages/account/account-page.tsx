import { LANGUAGE_NAMES } from "../../../../shared/language.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { TIME_ZONES } from "../../../access/account-settings.ts";
import { limitOf } from "../../../base/plans.ts";
import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import type { EventPage } from "../../../db/accounts/events.ts";
import type { Notice as AccountNotice } from "../../../db/accounts/notices.ts";
import { Field, Select, Form } from "../../kit/fields.tsx";
import { Section, Tabs } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { PASSWORD_HINT } from "../../kit/session/sign-in-words.ts";
import { ACCOUNT_DELETION_PATH, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS, PLAN_WORDS } from "./account-words.ts";
import {
  AfterPassword,
  type AfterPasswordProps,
  Deletion,
  Sessions,
  Notices,
} from "./account-sections.tsx";
import { Events } from "./events.tsx";
import { EVENTS_WORDS } from "./events-words.ts";
import { PASSKEY_WORDS } from "./passkey-words.ts";
import { Passkeys } from "./passkeys-page.tsx";
import { SecondFactor } from "./second-factor-page.tsx";
import { SECOND_FACTOR_WORDS } from "./second-factor-words.ts";

export const FORMS = {
  password: "/settings/account",
  email: "/settings/account/email",
  sessions: "/settings/account/sessions",
  preferences: "/settings/account/preferences",
  delete: ACCOUNT_DELETION_PATH,
} as const;

interface AccountPageProps {
  signedIn: SignedInRequest;
  settings: AccountSettings;
  events: EventPage;
  notices: readonly AccountNotice[];
  /** Undefined unless the password has just been changed. */
  open: AfterPasswordProps | undefined;
  sendsMail: boolean;
}

const PARTS = [
  ["address", WORDS.email],
  ["password", WORDS.password],
  ["passkeys", PASSKEY_WORDS.title],
  ["second-factor", SECOND_FACTOR_WORDS.title],
  ["sessions", WORDS.sessions],
  ["preferences", WORDS.preferences],
  ["plan", WORDS.plan],
  ["events", EVENTS_WORDS.title],
  ["delete", WORDS.deleteButton],
] as const;

interface PartProps {
  signedIn: SignedInRequest;
}

function Email({ signedIn, sendsMail }: PartProps & { sendsMail: boolean }) {
  return (
    <Section id="address" title={WORDS.email}>
      <p>
        <T text={WORDS.emailIs} /> <strong>{signedIn.email}</strong>.
      </p>
      {!sendsMail && (
        <p class="soft">
          <T text={WORDS.noMail} />
        </p>
      )}
      {sendsMail && (
        <Form action={FORMS.email}>
          <Field
            name="email"
            label={WORDS.newEmail}
            hint={WORDS.newEmailHint}
            type="email"
            autocomplete="email"
          />
          <ConfirmField signedIn={signedIn} id="email-current_password" />
          <button type="submit">
            <T text={WORDS.changeEmail} />
          </button>
        </Form>
      )}
    </Section>
  );
}

function Password({ signedIn }: PartProps) {
  const say = useSay();
  const { hasPassword } = signedIn;
  return (
    <Section id="password" title={WORDS.password}>
      <Form action={FORMS.password}>
        {!hasPassword && (
          <p>
            <T text={WORDS.noPassword} />
          </p>
        )}
        <ConfirmField signedIn={signedIn} isAlways={hasPassword} />
        <Field
          name="new_password"
          label={WORDS.newPassword}
          hint={`${say(PASSWORD_HINT)} ${say(WORDS.passwordEnds)}`}
          type="password"
          autocomplete="new-password"
        />
        <button type="submit">
          <T text={WORDS.changePassword} />
        </button>
      </Form>
    </Section>
  );
}

function Preferences({ settings }: { settings: AccountSettings }) {
  return (
    <Section id="preferences" title={WORDS.preferences}>
      <Form action={FORMS.preferences}>
        <Select
          name="language"
          label={WORDS.language}
          value={settings.language ?? ""}
          options={[["", WORDS.ofBrowser], ...Object.entries(LANGUAGE_NAMES)]}
        />
        <Field
          name="time_zone"
          label={WORDS.timeZone}
          hint={WORDS.timeZoneHint}
          value={useReader().timeZone ?? ""}
          placeholder="UTC"
          suggestions={TIME_ZONES}
        />
        <button type="submit">
          <T text={WORDS.save} />
        </button>
      </Form>
    </Section>
  );
}

function Plan({ signedIn }: PartProps) {
  const { plan } = signedIn;
  return (
    <Section id="plan" title={WORDS.plan}>
      <p>
        <T text={PLAN_WORDS[plan](limitOf(signedIn))} />
      </p>
      <p class="soft">
        <T text={WORDS.planChange} /> <T text={WORDS.used30} />{" "}
        <a href="/settings/api">
          <T text={WORDS.api} />
        </a>
        .
      </p>
    </Section>
  );
}

export function AccountPage(props: AccountPageProps) {
  const { signedIn, settings, events, notices, open, sendsMail } = props;
  return (
    <>
      <h1>{useSay()(WORDS.title)}</h1>
      <Tabs
        label={WORDS.title}
        tabs={PARTS.map(([id, label]) => ({ href: `#${id}`, label, isCurrent: false }))}
      />
      <Notices notices={notices} />
      {open && <AfterPassword {...open} />}
      <Email signedIn={signedIn} sendsMail={sendsMail} />
      <Password signedIn={signedIn} />
      <Passkeys signedIn={signedIn} />
      <SecondFactor signedIn={signedIn} />
      <Sessions settings={settings} signedIn={signedIn} />
      <Preferences settings={settings} />
      <Plan signedIn={signedIn} />
      <Events found={events} />
      <Deletion projects={settings.projects} email={signedIn.email} />
    </>
  );
}
