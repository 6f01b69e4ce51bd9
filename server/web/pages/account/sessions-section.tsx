import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import type { SessionSummary } from "../../../db/accounts/sessions.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { useTypedInto } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { useSay, type Wording } from "../../kit/reader.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { ConfirmForm } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS, tellShown } from "./account-words.ts";

export const CONFIRM_SESSIONS = "/settings/account/sessions/confirm";
const MAX_SHOWN = 10;
const MAX_NAME_LENGTH = 60;

const nameOf = ({ browser }: SessionSummary): Wording =>
  oneLine(browser, MAX_NAME_LENGTH) || WORDS.unknownBrowser;

function EndButton({ session }: { session: SessionSummary }) {
  const say = useSay();
  const end = say(WORDS.end);
  return (
    <form method="post" action={`/settings/account/sessions/${session.id}/end`}>
      <button
        type="submit"
        class="second"
        aria-label={`${end} ${say(nameOf(session))}, ${session.address}`}
      >
        {end}
      </button>
    </form>
  );
}

interface SessionsProps {
  settings: Pick<AccountSettings, "sessions">;
  signedIn: SignedInRequest;
}

/** Where the account is signed in: this session first, then those that were used last. */
export function Sessions({ settings: { sessions }, signedIn }: SessionsProps) {
  const say = useSay();
  const isThisOne = ({ id }: SessionSummary) => id === signedIn.sessionId;
  const others = sessions.filter((session) => !isThisOne(session));
  const shown = [...sessions.filter(isThisOne), ...others].slice(0, MAX_SHOWN);
  const isRefused = "current_password" in useTypedInto(CONFIRM_SESSIONS).problems;
  const mayEnd = signedIn.isConfirmed && !isRefused;
  return (
    <Section id="sessions" title={WORDS.sessions}>
      <Table
        labelledBy="sessions"
        head={[WORDS.browser, WORDS.address, WORDS.begun, WORDS.used, ""]}
        rows={shown.map((session) => ({
          key: session.id,
          cells: [
            say(nameOf(session)),
            session.address,
            <Time at={session.createdAt} />,
            <Time at={session.lastUsedAt} />,
            isThisOne(session) ? (
              <strong>{say(WORDS.thisOne)}</strong>
            ) : (
              mayEnd && <EndButton session={session} />
            ),
          ],
        }))}
      />
      {sessions.length > shown.length && (
        <p class="soft">{say(tellShown(shown.length, sessions.length))}</p>
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
          <button type="submit" class="second">
            {say(WORDS.endOthers)}
          </button>
        </form>
      )}
    </Section>
  );
}
