import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../shared/report/words.ts";
import { Name } from "../../access/name.ts";
import { createToken, revokeToken, type CreatedToken } from "../../access/tokens.ts";
import { findApiSettings, findToken } from "../../db/tokens.ts";
import type { Deps } from "../../deps.ts";
import { AppError, isAppError } from "../../errors.ts";
import { fieldsOf, type Fields } from "../page/forms.ts";
import { siteOf } from "../page/site.ts";
import { sendPage } from "../session/page.ts";
import { filledOf, getVisit } from "../session/visit.ts";
import { ApiPage, askToRevoke, describeLimit, RevokePage } from "./api-page.tsx";
import { API_SCRIPT } from "./api-script.ts";
import { API_WORDS, NAME_PROBLEMS } from "./api-words.ts";

const PATH = "/settings/api";
const REVOKE = `${PATH}/tokens/:id/revoke`;

interface Outcome {
  values?: Fields;
  created?: CreatedToken;
  /** What is wrong with the name. */
  problem?: string;
  /** The name was good, but the account has as many tokens as it can. */
  isFull?: boolean;
}

type OfToken = { Params: { id: string } };

/** API settings: tokens, what is used of the month, and how to use both. */
export function apiRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function send(request: FastifyRequest, reply: FastifyReply, outcome: Outcome) {
    const visit = getVisit(request);
    const { before } = request.query as { before?: unknown };
    const after = typeof before === "string" ? before : undefined;
    const settings = await findApiSettings(sql, visit.caller, after);
    if (settings === undefined) throw new AppError("unauthorized", {});
    const { created, isFull = false, values = {} } = outcome;
    const problem = isFull ? describeLimit(settings, visit) : outcome.problem;
    const filled = { values, problems: problem === undefined ? {} : { name: problem } };
    const origin = siteOf(deps.config, request.host).origin ?? "";
    return sendPage(request, reply, {
      title: say(API_WORDS.title, visit.language),
      status: problem === undefined ? 200 : 422,
      script: API_SCRIPT,
      children: (
        <ApiPage
          visit={visit}
          settings={settings}
          filled={filled}
          origin={origin}
          isFirst={after === undefined}
          {...(created && { created })}
        />
      ),
    });
  }

  async function create(request: FastifyRequest): Promise<Outcome> {
    const { actor, language } = getVisit(request);
    const values = fieldsOf(request);
    const name = Name.safeParse(values["name"] ?? "");
    if (!name.success) {
      const fault = name.error.issues[0]?.message as keyof typeof NAME_PROBLEMS;
      return { values, problem: say(NAME_PROBLEMS[fault], language) };
    }
    try {
      return { created: await createToken(deps, actor, name.data) };
    } catch (error) {
      if (isAppError(error, "too_many_tokens")) return { values, isFull: true };
      throw error;
    }
  }

  door.get(PATH, (request, reply) => send(request, reply, filledOf(getVisit(request), PATH)));

  door.post(PATH, async (request, reply) => send(request, reply, await create(request)));

  door.get<OfToken>(REVOKE, async (request, reply) => {
    const visit = getVisit(request);
    const { id } = request.params;
    const token = await findToken(sql, visit.caller, id);
    if (token === undefined) throw new AppError("token_not_found", { id });
    if (token.revokedAt !== null) return reply.redirect(PATH, 303);
    const children = <RevokePage token={token} visit={visit} />;
    return sendPage(request, reply, { title: askToRevoke(token, visit), children });
  });

  door.post<OfToken>(REVOKE, async (request, reply) => {
    await revokeToken(deps, getVisit(request).actor, request.params.id);
    return reply.redirect(PATH, 303);
  });
}
