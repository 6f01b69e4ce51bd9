import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import { languageOf } from "../asked.ts";
import { previewOf } from "../site.ts";
import { policyOf } from "../style.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { findRelyingParty } from "./relying-party.ts";
import { renderSignInPage, type SignInPage } from "./sign-in-page.tsx";

/** Sends the page with the form that signs in. */
export function sendSignInPage(
  { config }: Pick<Deps, "config">,
  request: FastifyRequest,
  reply: FastifyReply,
  page: SignInPage,
): FastifyReply {
  const takesPasskeys = findRelyingParty(request, config) !== undefined;
  const script = takesPasskeys ? PASSKEY_SCRIPT : undefined;
  const policy = policyOf({ script, hasForm: true });
  const language = languageOf(request);
  const reader = { ...previewOf(request, language), language };
  return reply
    .headers({ "content-security-policy": policy, vary: "Accept-Language" })
    .type("text/html; charset=utf-8")
    .send(renderSignInPage({ ...page, script, hasSignUp: config.hasSignUp }, reader));
}
