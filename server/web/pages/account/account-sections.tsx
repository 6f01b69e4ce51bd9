import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import type { SessionSummary } from "../../../db/accounts/sessions.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { useInputOf } from "../../kit/fields.tsx";
import { Section, Table } from "../../kit/layout.tsx";
import { T, useSay, type Wording } from "../../kit/reader.tsx";
import { Time } from "../../kit/time.tsx";
import { ConfirmForm } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS, describeShownSessions } from "./account-words.ts";
import { describeNoticeActor, describeNotice } from "../../../access/notice-letters.ts";
import type { Notice as AccountNotice } from "../../../db/accounts/notices.ts";
import { Button, Notice } from "../../kit/components.tsx";
import type { PasskeySummary } from "../../../db/accounts/passkeys.ts";
import type { ApiSettings } from "../../../db/accounts/tokens.ts";
import { PasskeyList } from "./passkeys-page.tsx";
import { ActiveTokens } from "./token-tables.tsx";

export const CONFIRM_SESSIONS = "/settings/account/sessions/confirm";
const MAX_SHOWN = 10;
const MAX_NAME_LENGTH = 60;

const nameOf = ({ browser }: SessionSummary): Wording =>
  oneLine(browser, MAX_NAME_LENGTH) || WORDS.unknownBrowser;

function EndButton({ session }: { session: SessionSummary }) {
  const say = useSay();
  return (
    <form method="post" action={`/settings/account/sessions/${session.id}/end`}>
      <Button label={WORDS.end} on={`${say(nameOf(session))}, ${session.address}`} tone="second" />
    </form>
  );
}

interface SessionsProps {
  settings: Pick<AccountSettings, "sessions">;
  signedIn: SignedInRequest;
}

export function Sessions({ settings: { sessions }, signedIn }: SessionsProps) {
  const isThisOne = ({ id }: SessionSummary) => id === signedIn.sessionId;
  const others = sessions.filter((session) => !isThisOne(session));
  const shown = [...sessions.filter(isThisOne), ...others].slice(0, MAX_SHOWN);
  const isRefused = "current_password" in useInputOf(CONFIRM_SESSIONS).problems;
  const mayEnd = signedIn.isConfirmed && !isRefused;
  return (
    <Section id="sessions" title={WORDS.sessions}>
      <Table
        head={[WORDS.browser, WORDS.address, WORDS.begun, WORDS.used, ""]}
        rows={shown.map((session) => ({
          key: session.id,
          cells: [
            <T text={nameOf(session)} />,
            session.address,
            <Time at={session.createdAt} />,
            <Time at={session.lastUsedAt} />,
            isThisOne(session) ? (
              <strong>
                <T text={WORDS.thisOne} />
              </strong>
            ) : (
              mayEnd && <EndButton session={session} />
            ),
          ],
        }))}
      />
      {sessions.length > shown.length && (
        <p class="soft">
          <T text={describeShownSessions(shown.length, sessions.length)} />
        </p>
      )}
      {others.length > 0 && !mayEnd && (
        <ConfirmForm
          signedIn={signedIn}
          id="sessions-current_password"
          action={CONFIRM_SESSIONS}
          why={WORDS.confirmToEnd}
        />
      )}
      {others.length > 0 && mayEnd && (
        <form method="post" action="/settings/account/sessions/end-others">
          <Button label={WORDS.endOthers} tone="second" />
        </form>
      )}
    </Section>
  );
}

const LONGEST_PROJECT = 80;

interface DeletionProps {
  projects: AccountSettings["projects"];
  email: string;
}

export function Deletion({ projects, email }: DeletionProps) {
  if (projects.length > 0)
    return (
      <Section id="delete" title={WORDS.delete}>
        <p>
          <T text={WORDS.deleteFirst} />
        </p>
        <ul>
          {projects.map(({ id, name }) => (
            <li>
              <a href={`/projects/${id}/settings`}>{oneLine(name, LONGEST_PROJECT)}</a>
            </li>
          ))}
        </ul>
      </Section>
    );
  return (
    <Section id="delete" title={WORDS.delete}>
      <p>
        <T text={WORDS.deleteLead} />
      </p>
      <form action="/settings/account/delete">
        <Button label={WORDS.deleteButton} on={email} tone="danger" />
      </form>
    </Section>
  );
}

const NOTICES = {
  lead: {
    fr: "Si vous n'êtes pas à l'origine de l'une de ces actions, changez tout de suite votre mot de passe, puis révoquez ce que vous ne reconnaissez pas.",
    en: "If one of these was not you, change your password immediately, then revoke what you do not recognize.",
  },
  dismiss: { fr: "C'était bien moi", en: "This was me" },
};

export function Notices({ notices }: { notices: readonly AccountNotice[] }) {
  const newest = notices.at(-1);
  if (newest === undefined) return null;
  return (
    <Notice tone="warn">
      <ul>
        {notices.map((notice) => (
          <li key={notice.id}>
            <T text={describeNotice(notice)} />, <Time at={notice.at} />,{" "}
            <T text={describeNoticeActor(notice)} />
          </li>
        ))}
      </ul>
      <p>
        <T text={NOTICES.lead} />
      </p>
      <form method="post" action="/settings/account/notices">
        <input type="hidden" name="up_to" value={newest.id} />
        <Button label={NOTICES.dismiss} tone="second" />
      </form>
    </Notice>
  );
}

const AFTER_PASSWORD = {
  title: { fr: "Vos jetons et vos clés d'accès", en: "Your tokens and passkeys" },
  lead: {
    fr: "Ils fonctionnent encore. Si quelqu'un a pu connaître votre ancien mot de passe, révoquez ceux que vous ne reconnaissez pas.",
    en: "They still work. If someone might know your old password, revoke those that you do not recognize.",
  },
};

export interface AfterPasswordProps {
  settings: ApiSettings;
  passkeys: readonly PasskeySummary[];
}

export function AfterPassword({ settings, passkeys }: AfterPasswordProps) {
  if (settings.active.length + passkeys.length === 0) return null;
  return (
    <Section id="tokens" title={AFTER_PASSWORD.title}>
      <p>
        <T text={AFTER_PASSWORD.lead} />
      </p>
      {settings.active.length > 0 && <ActiveTokens settings={settings} />}
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} />}
    </Section>
  );
}
