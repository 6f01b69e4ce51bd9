import { say } from "../../../../shared/report/words.ts";
import { secondsToNextMonth } from "../../../checks/quota.ts";
import { limitOf, mayUseMcp } from "../../../access/plans.ts";
import { MAX_ACTIVE_TOKENS, type CreatedToken } from "../../../access/tokens.ts";
import type { ApiSettings, TokenSummary } from "../../../db/accounts/tokens.ts";
import type { Language, Text } from "../../../base/language.ts";
import { describeAge, describeDay, describeMoment } from "../../kit/age.ts";
import { Field, Meter } from "../../kit/components.tsx";
import { CopyStatus } from "../../kit/copy.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Question, Section } from "../../kit/layout.tsx";
import { SecretNotice } from "../../kit/secret.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { Examples } from "./api-examples.tsx";
import { API_WORDS as WORDS, lastUsed, tooMany, turnsOn } from "./api-words.ts";
import { ActiveTokens, nameToken, RevokedTokens } from "./token-tables.tsx";

export interface ApiPageProps {
  signedIn: SignedInRequest;
  settings: ApiSettings;
  filled: Filled;
  /** The server's own origin. */
  origin: string;
  /** False on the older pages of revoked tokens. */
  isFirst: boolean;
  /** The token that this very request made. */
  created?: CreatedToken;
}

function Usage({ settings: { used, now }, signedIn }: Pick<ApiPageProps, "settings" | "signedIn">) {
  const { language } = signedIn;
  const limit = limitOf(signedIn);
  const turn = new Date(now.getTime() + secondsToNextMonth(now) * 1000);
  const day = describeDay(turn, { language, timeZone: null });
  return (
    <Section id="usage" title={say(WORDS.usage, language)}>
      <Meter labelledBy="usage" used={used} limit={limit} language={language} />
      <p title={describeMoment(turn, signedIn)}>
        {say(turnsOn(day, describeAge(turn, now, language)), language)}{" "}
        {used >= limit && say(WORDS.usedUp, language)}
      </p>
    </Section>
  );
}

/** Why no other token can be created, and what to do. */
export const describeLimit = ({ active }: ApiSettings): Text =>
  tooMany(MAX_ACTIVE_TOKENS, active.map(nameToken));

function CreateForm({ settings, filled: { values, problems }, signedIn }: ApiPageProps) {
  const { language } = signedIn;
  const isFull = settings.active.length >= MAX_ACTIVE_TOKENS && problems["name"] === undefined;
  return (
    <form method="post" action="/settings/api" data-once>
      <Field
        name="name"
        label={say(WORDS.nameOf, language)}
        value={values["name"]}
        problem={problems["name"]}
        hint={say(isFull ? describeLimit(settings) : WORDS.nameHint, language)}
      />
      <ConfirmField signedIn={signedIn} problem={problems["current_password"]} />
      <button type="submit">{say(WORDS.create, language)}</button>
    </form>
  );
}

/** The screen of tokens, of what is left of the month, and of how to use both. */
export function ApiPage(props: ApiPageProps) {
  const { signedIn, settings, created, origin, isFirst } = props;
  const { language, plan } = signedIn;
  return (
    <>
      <h1>{say(WORDS.title, language)}</h1>
      {created && (
        <SecretNotice
          secret={{ label: nameToken(created), value: created.token, hint: WORDS.shownOnce }}
          page="/settings/api"
          language={language}
        />
      )}
      <p class="lead">{say(WORDS.lead, language)}</p>
      <p>
        {say(WORDS.help, language)} <a href="/docs/ci">{say(WORDS.ci, language)}</a>,{" "}
        <a href="/docs/mcp">{say(WORDS.assistants, language)}</a>.
      </p>
      <Usage settings={settings} signedIn={signedIn} />
      <Section id="tokens" title={say(WORDS.tokens, language)}>
        <ActiveTokens settings={settings} reader={signedIn} />
        <CreateForm {...props} />
      </Section>
      <RevokedTokens settings={settings} isFirst={isFirst} reader={signedIn} />
      <Examples origin={origin} hasAssistants={mayUseMcp(plan)} language={language} />
      <CopyStatus />
    </>
  );
}

/** The question whether to revoke a token. */
export function askToRevoke(token: TokenSummary, { language }: SignedInRequest): string {
  const revoking = `${say(WORDS.revoke, language)} ${nameToken(token)}`;
  return say({ fr: `${revoking} ?`, en: `${revoking}?` }, language);
}

interface RevokePageProps {
  token: TokenSummary & Pick<ApiSettings, "now">;
  signedIn: SignedInRequest;
}

/** Asks once whether to revoke a token. */
export function RevokePage({ token, signedIn }: RevokePageProps) {
  const { language } = signedIn;
  return (
    <Question
      title={askToRevoke(token, signedIn)}
      consequence={say(WORDS.consequence, language)}
      action={`/settings/api/tokens/${token.id}/revoke`}
      button={say(WORDS.revoke, language)}
      name={nameToken(token)}
      back="/settings/api"
      language={language}
    >
      <p>{describeUse(token, language)}</p>
    </Question>
  );
}

function describeUse({ lastUsedAt, now }: RevokePageProps["token"], language: Language): string {
  if (lastUsedAt === null) return `${say(WORDS.neverUsed, language)}.`;
  return say(lastUsed(describeAge(lastUsedAt, now, language)), language);
}
