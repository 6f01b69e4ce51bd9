import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Name } from "../../../access/name.ts";
import {
  createToken,
  revokeToken,
  type CreatedToken,
  MAX_ACTIVE_TOKENS,
} from "../../../access/tokens.ts";
import {
  findApiSettings,
  findToken,
  type ApiSettings,
  type TokenSummary,
} from "../../../db/accounts/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import {
  COPY_SCRIPT,
  SECRET_SCRIPT,
  Meter,
  CopyStatus,
  SecretNotice,
} from "../../kit/components.tsx";
import { Form, useInputOf, Field } from "../../kit/fields.tsx";
import { refuse, type Refusal } from "../../kit/forms.ts";
import { siteOf } from "../../kit/site.ts";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { addConfirmation } from "../../kit/session/question.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { formsOf } from "../../kit/session/form-handlers.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import {
  API_WORDS,
  NAME_PROBLEMS,
  API_WORDS as WORDS,
  describeLastUse,
  describeTokenLimit,
  describeReset,
} from "./api-words.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { secondsToNextMonth } from "../../../checks/quota.ts";
import { limitOf, mayUseMcp } from "../../../base/plans.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeAge, describeDay, describeMoment } from "../../kit/time.tsx";
import { Section } from "../../kit/layout.tsx";
import { Examples } from "./api-examples.tsx";
import { ActiveTokens, nameToken, RevokedTokens } from "./token-tables.tsx";

export const PATH = "/settings/api";

interface ApiPageProps {
  signedIn: SignedInRequest;
  settings: ApiSettings;
  origin: string;
  /** False on the older pages of revoked tokens. */
  isFirst: boolean;
  created?: CreatedToken;
}

function Usage({ settings: { used }, signedIn }: Pick<ApiPageProps, "settings" | "signedIn">) {
  const say = useSay();
  const { language, now } = signedIn;
  const limit = limitOf(signedIn);
  const reset = new Date(now.getTime() + secondsToNextMonth(now) * 1000);
  const day = describeDay(reset, { language, timeZone: null });
  return (
    <Section id="usage" title={WORDS.usage}>
      <Meter labelledBy="usage" used={used} limit={limit} />
      <p title={describeMoment(reset, signedIn)}>
        <T text={describeReset(day, describeAge(reset, now, language))} />{" "}
        {used >= limit && say(WORDS.usedUp)}
      </p>
    </Section>
  );
}

const describeLimit = ({ active }: ApiSettings): Text =>
  describeTokenLimit(MAX_ACTIVE_TOKENS, active.map(nameToken));

function CreateForm({ settings, signedIn }: ApiPageProps) {
  const isFull = settings.active.length >= MAX_ACTIVE_TOKENS;
  const isRefused = "name" in useInputOf(PATH).problems;
  return (
    <Form action={PATH} isOnce>
      <Field
        name="name"
        label={WORDS.nameOf}
        hint={isFull && !isRefused ? describeLimit(settings) : WORDS.nameHint}
      />
      <ConfirmField signedIn={signedIn} />
      <button type="submit">
        <T text={WORDS.create} />
      </button>
    </Form>
  );
}

function ApiPage(props: ApiPageProps) {
  const { signedIn, settings, created, origin, isFirst } = props;
  return (
    <>
      <h1>
        <T text={WORDS.title} />
      </h1>
      {created && (
        <SecretNotice
          secret={{ label: nameToken(created), value: created.token, hint: WORDS.shownOnce }}
          page={PATH}
        />
      )}
      <p class="lead">
        <T text={WORDS.lead} />
      </p>
      <p>
        <T text={WORDS.help} />{" "}
        <a href="/docs/ci">
          <T text={WORDS.ci} />
        </a>
        ,{" "}
        <a href="/docs/mcp">
          <T text={WORDS.assistants} />
        </a>
        .
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

function LastUse({ token: { lastUsedAt } }: { token: TokenSummary }) {
  const say = useSay();
  const { now, language } = useReader();
  return (
    <p>
      {lastUsedAt === null
        ? `${say(WORDS.neverUsed)}.`
        : say(describeLastUse(describeAge(lastUsedAt, now, language)))}
    </p>
  );
}

const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

interface Extras {
  created?: CreatedToken;
  refused?: Refusal;
}

export function apiRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function readSettings(signedIn: SignedInRequest, before?: string): Promise<ApiSettings> {
    const settings = await findApiSettings(sql, signedIn.caller, before);
    if (settings === undefined) throw new AppError("unauthorized", {});
    return settings;
  }

  async function send(request: FastifyRequest, reply: FastifyReply, extras: Extras = {}) {
    const signedIn = getSignedIn(request);
    const after = parameterOf(request, "before");
    const settings = await readSettings(signedIn, after);
    const { created, refused } = extras;
    const props = { signedIn, settings, isFirst: after === undefined };
    const origin = siteOf(deps.config, request.host).origin ?? "";
    return sendPage(request, reply, {
      title: API_WORDS.title,
      refused,
      script: SCRIPT,
      children: <ApiPage {...props} origin={origin} {...(created && { created })} />,
    });
  }

  door.get(PATH, (request, reply) => send(request, reply));

  const addForm = formsOf(door, deps, {
    page: PATH,
    render: (request, reply, refused) => send(request, reply, { refused }),
  });
  addForm(PATH, async ({ actor, fields, confirm, request, reply }) => {
    const name = Name.safeParse(fields["name"] ?? "");
    if (!name.success) {
      const fault = name.error.issues[0]?.message as keyof typeof NAME_PROBLEMS;
      return refuse({ name: NAME_PROBLEMS[fault] });
    }
    const refused = await confirm();
    if (refused !== undefined) return refused;
    try {
      return await send(request, reply, { created: await createToken(deps, actor, name.data) });
    } catch (error) {
      if (!isAppError(error, "too_many_tokens")) throw error;
      return refuse({ name: describeLimit(await readSettings(getSignedIn(request))) });
    }
  });

  addConfirmation(door, deps, {
    path: `${PATH}/tokens/:id/revoke`,
    async find(request) {
      const { id } = request.params as { id: string };
      const token = await findToken(sql, getSignedIn(request).caller, id);
      if (token === undefined) throw new AppError("token_not_found", { id });
      return token;
    },
    ask: (token) => ({
      consequence: WORDS.consequence,
      button: WORDS.revoke,
      name: nameToken(token),
      back: PATH,
      children: <LastUse token={token} />,
    }),
    act: ({ id }, { actor }) => revokeToken(deps, actor, id),
    redirect: () => ({ to: PATH, done: "token-revoked" }),
  });
}
