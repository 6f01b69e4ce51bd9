import type { FastifyInstance, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { Email } from "../../../access/accounts.ts";
import { sendPasswordLink, sendSignUpLink, type LinkRequest } from "../../../access/links.ts";
import type { Deps } from "../../../deps.ts";
import { findVisitor } from "../../../http/visitor.ts";
import { EMPTY, fieldsOf } from "../../kit/forms.ts";
import { languageOf, parameterOf } from "../../kit/asked.ts";
import { readOwnPath } from "../../kit/session/own-path.ts";
import { sendVisitorPage } from "../../kit/session/visitor-page.ts";
import { EMAIL_INVALID, FORGOT, SIGN_UP } from "./link-words.ts";
import {
  createMailForm,
  createNoMailPage,
  createSentPage,
  type MailFormWords,
} from "./mail-form.tsx";

interface MailForm {
  path: string;
  words: MailFormWords;
  send: (deps: Deps, request: LinkRequest) => Promise<void>;
}

/** Registers a page that asks for an address and sends a link to it; the answer is the same for every address. */
function addMailForm(door: FastifyInstance, deps: Deps, { path, words, send }: MailForm): void {
  const sentPath = `${path}/sent`;
  const nextOf = (request: FastifyRequest) =>
    readOwnPath(parameterOf(request, "next") ?? fieldsOf(request)["next"]);
  const formFor = (request: FastifyRequest, filled = EMPTY) =>
    createMailForm(path, words, { ...filled, next: nextOf(request) }, languageOf(request));

  door.get(path, (request, reply) => {
    const page = deps.mailer ? formFor(request) : createNoMailPage(words, languageOf(request));
    return sendVisitorPage(request, reply, page);
  });

  door.get(sentPath, (request, reply) =>
    sendVisitorPage(request, reply, createSentPage(path, words, languageOf(request))),
  );

  door.post(path, async (request, reply) => {
    const fields = fieldsOf(request);
    const email = Email.safeParse(fields["email"] ?? "");
    const language = languageOf(request);
    if (!email.success) {
      const problems = { email: say(EMAIL_INVALID, language) };
      const page = formFor(request, { values: fields, problems });
      return sendVisitorPage(request, reply, { ...page, status: 422 });
    }
    const address = findVisitor(request.raw, deps.config.trustedProxies);
    await send(deps, { email: email.data, address, language, next: nextOf(request) });
    return reply.redirect(deps.mailer ? sentPath : path, 303);
  });
}

/** The pages on which somebody asks for a link by e-mail. */
export function mailFormRoutes(door: FastifyInstance, deps: Deps): void {
  addMailForm(door, deps, { path: "/forgot", words: FORGOT, send: sendPasswordLink });
  if (deps.config.hasSignUp)
    addMailForm(door, deps, { path: "/sign-up", words: SIGN_UP, send: sendSignUpLink });
}
