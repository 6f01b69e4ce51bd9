import type { FastifyReply, FastifyRequest } from "fastify";
import { preferredLanguage, type Language } from "../../language.ts";
import { policyOf } from "../page/style.ts";
import { renderSignInPage, type SignInPage } from "./sign-in-page.tsx";

/** The language of a page for somebody who is not signed in. */
export const languageOf = ({ headers }: Pick<FastifyRequest, "headers">): Language =>
  preferredLanguage(headers["accept-language"]);

/** Sends the page with the form that signs in. */
export function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: SignInPage,
): FastifyReply {
  return reply
    .headers({ "content-security-policy": policyOf({ hasForm: true }), vary: "Accept-Language" })
    .type("text/html; charset=utf-8")
    .send(renderSignInPage(page, languageOf(request)));
}
