import { say } from "../../../../shared/report/words.ts";
import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import type { SessionSummary } from "../../../db/accounts/sessions.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { ConfirmForm } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS, tellShown } from "./account-words.ts";

const MAX_SHOWN = 10;
const MAX_NAME_LENGTH = 60;

const nameOf = ({ browser }: SessionSummary, language: Language) =>
  oneLine(browser, MAX_NAME_LENGTH) || say(WORDS.unknownBrowser, language);

interface SessionsProps {
  settings: Pick<AccountSettings, "sessions">;
  signedIn: SignedInRequest;
  filled: Filled;
}

function EndButton({ session, language }: { session: SessionSummary; language: Language }) {
  const end = say(WORDS.end, language);
  return (
    <form method="post" action={`/settings/account/sessions/${session.id}/end`}>
      <button
        type="submit"
        class="second"
        aria-label={`${end} ${nameOf(session, language)}, ${session.address}`}
      >
        {end}
      </button>
    </form>
  );
}

/** Where the account is signed in: this session first, then those that were used last. */
export function Sessions({ settings: { sessions }, signedIn, filled }: SessionsProps) {
  const { language, sessionId, now } = signedIn;
  const isThisOne = ({ id }: SessionSummary) => id === sessionId;
  const others = sessions.filter((session) => !isThisOne(session));
  const shown = [...sessions.filter(isThisOne), ...others].slice(0, MAX_SHOWN);
  const problem = filled.problems["current_password"];
  const mayEnd = signedIn.isConfirmed && problem === undefined;
  const head = [WORDS.browser, WORDS.address, WORDS.begun, WORDS.used];
  return (
    <Section id="sessions" title={say(WORDS.sessions, language)}>
      <Table
        labelledBy="sessions"
        head={[...head.map((each) => say(each, language)), ""]}
        rows={shown.map((session) => ({
          key: session.id,
          cells: [
            nameOf(session, language),
            session.address,
            <Time at={session.createdAt} now={now} reader={signedIn} />,
            <Time at={session.lastUsedAt} now={now} reader={signedIn} />,
            isThisOne(session) ? (
              <strong>{say(WORDS.thisOne, language)}</strong>
            ) : (
              mayEnd && <EndButton session={session} language={language} />
            ),
          ],
        }))}
      />
      {sessions.length > shown.length && (
        <p class="soft">{say(tellShown(shown.length, sessions.length), language)}</p>
      )}
      {others.length > 0 && !mayEnd && (
        <ConfirmForm
          signedIn={signedIn}
          problem={problem}
          id="sessions-current_password"
          action="/settings/account/sessions/confirm"
          why={WORDS.confirmToEnd}
        />
      )}
      {others.length > 0 && mayEnd && (
        <form method="post" action="/settings/account/sessions/end-others">
          <button type="submit" class="second">
            {say(WORDS.endOthers, language)}
          </button>
        </form>
      )}
    </Section>
  );
}
