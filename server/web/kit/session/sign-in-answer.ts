import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import { readerOf } from "./reader.ts";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { findRelyingParty } from "./relying-party.ts";
import { TIME_ZONE_SCRIPT } from "./time-zone.tsx";
import { renderSignInPage, type SignInPage } from "./sign-in-page.tsx";

/** Sends the page with the form that signs in. */
export function sendSignInPage(
  { config }: Pick<Deps, "config">,
  request: FastifyRequest,
  reply: FastifyReply,
  page: SignInPage,
): FastifyReply {
  const takesPasskeys = findRelyingParty(request, config) !== undefined;
  const script = [
    TIME_ZONE_SCRIPT,
    ...(takesPasskeys ? [PASSKEY_SCRIPT] : []),
    ...(reply.statusCode === 200 ? [] : [FOCUS_SCRIPT]),
  ].join("\n");
  const reader = readerOf(request);
  return reply
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(
      renderSignInPage(
        { ...page, takesPasskeys, hasSignUp: config.hasSignUp },
        { ...previewOf(request, reader.language), ...reader, script },
      ),
    );
}
