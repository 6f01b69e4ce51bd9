import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { findHalf, finishHalf, type FoundHalf } from "../../../access/half-sign-in.ts";
import { needsPasskey } from "../../../access/second-factor.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";
import { refuseWith } from "../../../http/failure.ts";
import { describeWait } from "../../kit/age.ts";
import { languageOf, parameterOf } from "../../kit/asked.ts";
import { EMPTY, fieldsOf } from "../../kit/forms.ts";
import { clientOf } from "../../kit/session/client.ts";
import { CODE } from "../../kit/session/sign-in-words.ts";
import { findCookie, setCookie, setSessionCookie } from "../../kit/session/cookie.ts";
import { readOwnPath } from "../../kit/session/own-path.ts";
import { sendSignInPage } from "../../kit/session/sign-in-answer.ts";
import { sendVisitorPage } from "../../kit/session/visitor-page.ts";
import { createHalfPage, createPasskeyOnlyPage, HALF_PATH, HALF_WORDS } from "./half-page.tsx";

const HOME = "/projects";

/** The page between a right password and the session of an account with a second factor. */
export function halfRoutes(door: FastifyInstance, deps: Deps): void {
  const { config } = deps;

  async function find(request: FastifyRequest): Promise<FoundHalf | undefined> {
    const half = findCookie("half", request, config);
    return half === undefined ? undefined : findHalf(deps, half);
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    half: FoundHalf,
    { next, problem, status = 200 }: { next: string; problem?: Text; status?: number },
  ) {
    const language = languageOf(request);
    const { email, hasPasskeys } = half;
    const said = problem && say(problem, language);
    const page = needsPasskey(deps, half)
      ? createPasskeyOnlyPage(language, next)
      : createHalfPage({ email, hasPasskeys, next, problem: said }, language);
    return sendVisitorPage(request, reply, { ...page, status });
  }

  door.get(HALF_PATH, async (request, reply) => {
    const next = readOwnPath(parameterOf(request, "next")) ?? HOME;
    const half = await find(request);
    return half === undefined
      ? reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
      : show(request, reply, half, { next });
  });

  door.post(HALF_PATH, async (request, reply) => {
    const { code = "", email, next: typed } = fieldsOf(request);
    const next = readOwnPath(typed) ?? HOME;
    const half = await find(request);
    const over = () =>
      sendSignInPage(deps, request, reply.status(422), {
        filled: EMPTY,
        next,
        refusal: HALF_WORDS.over,
      });
    // The form of another half sign-in of this browser, which the cookie no longer tells of.
    if (half === undefined || half.email !== email) return over();
    try {
      const { secret } = await finishHalf(deps, half, code, clientOf(request, config));
      setCookie("half", reply, config, undefined);
      setSessionCookie(reply, config, secret);
      return await reply.redirect(next, 303);
    } catch (error) {
      if (isAppError(error, "sign_in_refused")) return over();
      if (isAppError(error, "sign_in_code_wrong"))
        return show(request, reply, half, { next, problem: CODE.wrong, status: 422 });
      if (!isAppError(error, "too_often")) throw error;
      refuseWith(reply, 429, error);
      const problem = describeWait(error.parameters.retryAfterSeconds);
      return show(request, reply, half, { next, problem, status: 429 });
    }
  });
}
