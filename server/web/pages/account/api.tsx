import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Name } from "../../../access/name.ts";
import { createToken, revokeToken, type CreatedToken } from "../../../access/tokens.ts";
import { findApiSettings, findToken, type ApiSettings } from "../../../db/accounts/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT } from "../../kit/copy.tsx";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { SECRET_SCRIPT } from "../../kit/secret.tsx";
import { siteOf } from "../../kit/site.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { ApiPage, askToRevoke, describeLimit, PATH, RevokePage } from "./api-page.tsx";
import { API_WORDS, NAME_PROBLEMS } from "./api-words.ts";

const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;
const REVOKE = `${PATH}/tokens/:id/revoke`;

/** What the page shows besides the settings as they are. */
interface Shown {
  created?: CreatedToken;
  refused?: Refused;
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

  async function send(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const signedIn = getSignedIn(request);
    const after = parameterOf(request, "before");
    const settings = await readSettings(signedIn, after);
    const { created, refused } = shown;
    const props = { signedIn, settings, isFirst: after === undefined };
    const origin = siteOf(deps.config, request.host).origin ?? "";
    return sendPage(request, reply, {
      title: API_WORDS.title,
      refused,
      script: SCRIPT,
      children: <ApiPage {...props} origin={origin} {...(created && { created })} />,
    });
  }

  async function create(request: FastifyRequest, reply: FastifyReply): Promise<Shown> {
    const signedIn = getSignedIn(request);
    const name = Name.safeParse(fieldsOf(request)["name"] ?? "");
    if (!name.success) {
      const fault = name.error.issues[0]?.message as keyof typeof NAME_PROBLEMS;
      return { refused: refuse({ name: NAME_PROBLEMS[fault] }) };
    }
    const refused = await findUnconfirmed(deps, request, reply);
    if (refused !== undefined) return { refused };
    try {
      return { created: await createToken(deps, signedIn.actor, name.data) };
    } catch (error) {
      if (!isAppError(error, "too_many_tokens")) throw error;
      return { refused: refuse({ name: describeLimit(await readSettings(signedIn)) }) };
    }
  }

  door.get(PATH, (request, reply) => send(request, reply));

  door.post(PATH, async (request, reply) => send(request, reply, await create(request, reply)));

  door.get<OfToken>(REVOKE, async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const token = await findToken(sql, signedIn.caller, id);
    if (token === undefined) throw new AppError("token_not_found", { id });
    if (token.revokedAt !== null) return reply.redirect(PATH, 303);
    const children = <RevokePage token={token} />;
    return sendPage(request, reply, { title: askToRevoke(token), children });
  });

  door.post<OfToken>(REVOKE, async (request, reply) => {
    await revokeToken(deps, getSignedIn(request).actor, request.params.id);
    return reply.redirect(PATH, 303);
  });
}
