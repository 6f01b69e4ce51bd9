import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findHalf, finishHalf, type FoundHalf } from "../../../access/half-sign-in.ts";
import { needsPasskey } from "../../../access/second-factor.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/failure.ts";
import { describeWait } from "../../kit/age.ts";
import { parameterOf } from "../../kit/asked.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { clientOf } from "../../kit/session/client.ts";
import { CODE, PASSKEY } from "../../kit/session/sign-in-words.ts";
import { findCookie, setCookie, setSessionCookie } from "../../kit/session/cookie.ts";
import { readOwnPath } from "../../kit/session/own-path.ts";
import { sendSignInPage } from "../../kit/session/sign-in-page.tsx";
import { TIME_ZONE_SCRIPT } from "../../kit/session/time-zone.tsx";
import { sendVisitorPage } from "../../kit/session/visitor-page.ts";
import { HALF_PATH, HALF_WORDS, HalfPage, PasskeyOnlyPage } from "./half-page.tsx";

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
    next: string,
    refused?: Refused,
  ) {
    const isPasskeyOnly = needsPasskey(deps, half);
    return sendVisitorPage(request, reply, {
      title: isPasskeyOnly ? PASSKEY.use : HALF_WORDS.title,
      children: isPasskeyOnly ? (
        <PasskeyOnlyPage next={next} />
      ) : (
        <HalfPage {...half} next={next} />
      ),
      ...(!isPasskeyOnly && { script: TIME_ZONE_SCRIPT }),
      refused,
    });
  }

  door.get(HALF_PATH, async (request, reply) => {
    const next = readOwnPath(parameterOf(request, "next")) ?? HOME;
    const half = await find(request);
    return half === undefined
      ? reply.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303)
      : show(request, reply, half, next);
  });

  door.post(HALF_PATH, async (request, reply) => {
    const { code = "", email, next: typed } = fieldsOf(request);
    const next = readOwnPath(typed) ?? HOME;
    const half = await find(request);
    const over = () =>
      sendSignInPage(deps, request, reply, {
        next,
        refusal: HALF_WORDS.over,
        refused: refuse({}),
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
        return show(request, reply, half, next, refuse({ code: CODE.wrong }));
      if (!isAppError(error, "too_often")) throw error;
      refuseWith(reply, 429, error);
      const wait = describeWait(error.parameters.retryAfterSeconds);
      return show(request, reply, half, next, refuse({ code: wait }, 429));
    }
  });
}
