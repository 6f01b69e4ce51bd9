import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import { languageOf } from "../asked.ts";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
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
  const scripts = [takesPasskeys && PASSKEY_SCRIPT, reply.statusCode !== 200 && FOCUS_SCRIPT];
  const script = scripts.filter(Boolean).join("\n") || undefined;
  const policy = policyOf({ script, hasForm: true });
  const language = languageOf(request);
  const reader = { ...previewOf(request, language), language };
  return reply
    .headers({ "content-security-policy": policy, vary: "Accept-Language" })
    .type("text/html; charset=utf-8")
    .send(
      renderSignInPage({ ...page, script, takesPasskeys, hasSignUp: config.hasSignUp }, reader),
    );
}
