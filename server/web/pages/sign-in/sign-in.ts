import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endSession } from "../../../access/sessions.ts";
import { signInByPasskey } from "../../../access/passkeys.ts";
import { type HalfSignIn, signIn, type NewSession } from "../../../access/sign-in.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/errors.ts";
import { parameterOf, readOwnPath } from "../../kit/request-parameters.ts";
import { fieldsOf, refuse } from "../../kit/forms.ts";
import { setCookie, setSessionCookie, clientOf } from "../../kit/session/cookie.ts";
import { createPasskeyRequest } from "../../kit/session/passkey-options.ts";
import { findRelyingParty } from "../../kit/session/passkey.tsx";
import { sendSignInPage, type SignInPage } from "../../kit/session/sign-in-page.tsx";
import { SECOND_STEP_PATH } from "./second-step.tsx";
import { PASSKEY, REFUSED, describeSignInWait } from "../../kit/session/sign-in-words.ts";

const HOME = "/projects";

function signInBy(deps: Deps, request: FastifyRequest): Promise<NewSession | HalfSignIn> {
  const { email = "", password = "", passkey = "" } = fieldsOf(request);
  const client = clientOf(request, deps.config);
  if (passkey === "") return signIn(deps, { email, password }, client);
  const party = findRelyingParty(request, deps.config);
  if (party === undefined) throw new AppError("passkey_refused", {});
  return signInByPasskey(deps, party, passkey, client);
}

/** Rethrows an error that is not a refusal. */
function showAgain(
  error: unknown,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const send = (page: SignInPage) =>
    sendSignInPage(deps, request, reply, { next: readOwnPath(fieldsOf(request)["next"]), ...page });
  if (isAppError(error, "sign_in_refused")) return send({ refused: refuse({ password: REFUSED }) });
  if (isAppError(error, "passkey_refused"))
    return send({ refusal: PASSKEY.refused, refused: refuse({}) });
  if (!isAppError(error, "too_often")) throw error;
  refuseWith(reply, 429, error);
  const refusal = describeSignInWait(error.parameters.retryAfterSeconds);
  return send({ refusal, refused: refuse({}, 429) });
}

export function signInRoutes(door: FastifyInstance, deps: Deps): void {
  const { config } = deps;

  door.get("/sign-in", async (request, reply) => {
    const path = readOwnPath(parameterOf(request, "next"));
    if (request.signedIn !== undefined) return reply.redirect(path ?? HOME, 303);
    return sendSignInPage(deps, request, reply, { next: path });
  });

  door.post("/sign-in", async (request, reply) => {
    const path = readOwnPath(fieldsOf(request)["next"]) ?? HOME;
    try {
      const begun = await signInBy(deps, request);
      if ("half" in begun) {
        setCookie("half", reply, config, begun.half);
        return await reply.redirect(`${SECOND_STEP_PATH}?next=${encodeURIComponent(path)}`, 303);
      }
      setSessionCookie(reply, config, begun.secret);
      return await reply.redirect(path, 303);
    } catch (error) {
      return showAgain(error, deps, request, reply);
    }
  });

  door.get("/sign-in/passkey", async (request) => createPasskeyRequest(deps, request));

  door.post("/sign-out", async (request, reply) => {
    const { signedIn } = request;
    if (signedIn !== undefined) await endSession(deps, signedIn.actor, signedIn.sessionId);
    setSessionCookie(reply, config, undefined);
    return reply.redirect("/sign-in", 303);
  });
}
