import { useReader, useSay } from "../../kit/reader.tsx";
import { secondsToNextMonth } from "../../../checks/quota.ts";
import { limitOf, mayUseMcp } from "../../../access/plans.ts";
import { MAX_ACTIVE_TOKENS, type CreatedToken } from "../../../access/tokens.ts";
import type { ApiSettings, TokenSummary } from "../../../db/accounts/tokens.ts";
import type { Text } from "../../../base/language.ts";
import { describeAge, describeDay, describeMoment } from "../../kit/age.ts";
import { Meter } from "../../kit/components.tsx";
import { Field } from "../../kit/fields.tsx";
import { Form, useTypedInto } from "../../kit/form.tsx";
import { CopyStatus } from "../../kit/copy.tsx";
import { Question, Section } from "../../kit/layout.tsx";
import { SecretNotice } from "../../kit/secret.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { Examples } from "./api-examples.tsx";
import { API_WORDS as WORDS, lastUsed, tooMany, turnsOn } from "./api-words.ts";
import { ActiveTokens, nameToken, RevokedTokens } from "./token-tables.tsx";

export const PATH = "/settings/api";

export interface ApiPageProps {
  signedIn: SignedInRequest;
  settings: ApiSettings;
  /** The server's own origin. */
  origin: string;
  /** False on the older pages of revoked tokens. */
  isFirst: boolean;
  /** The token that this very request made. */
  created?: CreatedToken;
}

function Usage({ settings: { used }, signedIn }: Pick<ApiPageProps, "settings" | "signedIn">) {
  const say = useSay();
  const { language, now } = signedIn;
  const limit = limitOf(signedIn);
  const turn = new Date(now.getTime() + secondsToNextMonth(now) * 1000);
  const day = describeDay(turn, { language, timeZone: null });
  return (
    <Section id="usage" title={WORDS.usage}>
      <Meter labelledBy="usage" used={used} limit={limit} />
      <p title={describeMoment(turn, signedIn)}>
        {say(turnsOn(day, describeAge(turn, now, language)))} {used >= limit && say(WORDS.usedUp)}
      </p>
    </Section>
  );
}

/** Why no other token can be created, and what to do. */
export const describeLimit = ({ active }: ApiSettings): Text =>
  tooMany(MAX_ACTIVE_TOKENS, active.map(nameToken));

function CreateForm({ settings, signedIn }: ApiPageProps) {
  const say = useSay();
  const isFull = settings.active.length >= MAX_ACTIVE_TOKENS;
  const isRefused = "name" in useTypedInto(PATH).problems;
  return (
    <Form action={PATH} isOnce>
      <Field
        name="name"
        label={WORDS.nameOf}
        hint={isFull && !isRefused ? describeLimit(settings) : WORDS.nameHint}
      />
      <ConfirmField signedIn={signedIn} />
      <button type="submit">{say(WORDS.create)}</button>
    </Form>
  );
}

/** The screen of tokens, of what is left of the month, and of how to use both. */
export function ApiPage(props: ApiPageProps) {
  const { signedIn, settings, created, origin, isFirst } = props;
  const say = useSay();
  return (
    <>
      <h1>{say(WORDS.title)}</h1>
      {created && (
        <SecretNotice
          secret={{ label: nameToken(created), value: created.token, hint: WORDS.shownOnce }}
          page={PATH}
        />
      )}
      <p class="lead">{say(WORDS.lead)}</p>
      <p>
        {say(WORDS.help)} <a href="/docs/ci">{say(WORDS.ci)}</a>,{" "}
        <a href="/docs/mcp">{say(WORDS.assistants)}</a>.
      </p>
      <Usage settings={settings} signedIn={signedIn} />
      <Section id="tokens" title={WORDS.tokens}>
        <ActiveTokens settings={settings} />
        <CreateForm {...props} />
      </Section>
      <RevokedTokens settings={settings} isFirst={isFirst} />
      <Examples origin={origin} hasAssistants={mayUseMcp(signedIn.plan)} />
      <CopyStatus />
    </>
  );
}

/** The question whether to revoke a token. */
export const askToRevoke = (token: TokenSummary): Text => ({
  fr: `${WORDS.revoke.fr} ${nameToken(token)} ?`,
  en: `${WORDS.revoke.en} ${nameToken(token)}?`,
});

/** Asks once whether to revoke a token. */
export function RevokePage({ token }: { token: TokenSummary }) {
  const say = useSay();
  const { now, language } = useReader();
  const { lastUsedAt } = token;
  return (
    <Question
      title={askToRevoke(token)}
      consequence={WORDS.consequence}
      action={`${PATH}/tokens/${token.id}/revoke`}
      button={WORDS.revoke}
      name={nameToken(token)}
      back={PATH}
    >
      <p>
        {lastUsedAt === null
          ? `${say(WORDS.neverUsed)}.`
          : say(lastUsed(describeAge(lastUsedAt, now, language)))}
      </p>
    </Question>
  );
}
