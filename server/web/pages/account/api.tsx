import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { Name } from "../../../access/name.ts";
import { createToken, revokeToken, type CreatedToken } from "../../../access/tokens.ts";
import { findApiSettings, findToken, type ApiSettings } from "../../../db/accounts/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT } from "../../kit/copy.tsx";
import { fieldsOf, type Fields, type Filled } from "../../kit/forms.ts";
import { SECRET_SCRIPT } from "../../kit/secret.tsx";
import { siteOf } from "../../kit/site.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { filledOf, getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { ApiPage, askToRevoke, describeLimit, RevokePage } from "./api-page.tsx";
import { API_WORDS, NAME_PROBLEMS } from "./api-words.ts";

const PATH = "/settings/api";
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;
const REVOKE = `${PATH}/tokens/:id/revoke`;

/** What came of the form, and what it shows next. */
interface TokenFormOutcome {
  values?: Fields;
  created?: CreatedToken;
  /** By the names of the fields. */
  problems?: Filled["problems"];
  /** 200 by default. */
  status?: number;
}

type OfToken = { Params: { id: string } };

/** API settings: tokens, what is used of the month, and how to use both. */
export function apiRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function readSettings(signedIn: SignedInRequest, before?: string): Promise<ApiSettings> {
    const settings = await findApiSettings(sql, signedIn.caller, before);
    if (settings === undefined) throw new AppError("unauthorized", {});
    return settings;
  }

  async function send(request: FastifyRequest, reply: FastifyReply, outcome: TokenFormOutcome) {
    const signedIn = getSignedIn(request);
    const after = parameterOf(request, "before");
    const settings = await readSettings(signedIn, after);
    const { created, values = {}, problems = {}, status = 200 } = outcome;
    const props = {
      signedIn,
      settings,
      filled: { values, problems },
      isFirst: after === undefined,
    };
    const origin = siteOf(deps.config, request.host).origin ?? "";
    return sendPage(request, reply, {
      title: say(API_WORDS.title, signedIn.language),
      status,
      script: SCRIPT,
      children: <ApiPage {...props} origin={origin} {...(created && { created })} />,
    });
  }

  async function create(request: FastifyRequest, reply: FastifyReply): Promise<TokenFormOutcome> {
    const { actor, language } = getSignedIn(request);
    const values = fieldsOf(request);
    const name = Name.safeParse(values["name"] ?? "");
    if (!name.success) {
      const fault = name.error.issues[0]?.message as keyof typeof NAME_PROBLEMS;
      return { values, status: 422, problems: { name: say(NAME_PROBLEMS[fault], language) } };
    }
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed !== undefined) {
      const { status, problem } = unconfirmed;
      return { values, status, problems: { current_password: problem } };
    }
    try {
      return { created: await createToken(deps, actor, name.data) };
    } catch (error) {
      if (!isAppError(error, "too_many_tokens")) throw error;
      const signedIn = getSignedIn(request);
      const problem = describeLimit(await readSettings(signedIn), signedIn);
      return { values, status: 422, problems: { name: problem } };
    }
  }

  door.get(PATH, (request, reply) => send(request, reply, filledOf(getSignedIn(request), PATH)));

  door.post(PATH, async (request, reply) => send(request, reply, await create(request, reply)));

  door.get<OfToken>(REVOKE, async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const token = await findToken(sql, signedIn.caller, id);
    if (token === undefined) throw new AppError("token_not_found", { id });
    if (token.revokedAt !== null) return reply.redirect(PATH, 303);
    const children = <RevokePage token={token} signedIn={signedIn} />;
    return sendPage(request, reply, { title: askToRevoke(token, signedIn), children });
  });

  door.post<OfToken>(REVOKE, async (request, reply) => {
    await revokeToken(deps, getSignedIn(request).actor, request.params.id);
    return reply.redirect(PATH, 303);
  });
}
