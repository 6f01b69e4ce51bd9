import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Email } from "../../../access/accounts.ts";
import { sendPasswordLink, sendSignUpLink, type LinkRequest } from "../../../access/links.ts";
import type { Deps } from "../../../deps.ts";
import { findVisitor } from "../../../http/visitor.ts";
import { Form, Field } from "../../kit/fields.tsx";
import { fieldsOf, refuse } from "../../kit/forms.ts";
import { languageOf, parameterOf, readOwnPath } from "../../kit/request-parameters.ts";
import { sendVisitorPage } from "../../kit/session/page.ts";
import { EMAIL_INVALID } from "../../kit/session/sign-in-words.ts";
import { FORGOT, SENT, SIGN_UP, FIELDS, NO_MAIL } from "./link-words.ts";
import type { Text } from "../../../../shared/language.ts";

export interface MailFormWords {
  title: Text;
  lead: Text;
  button: Text;
  sent: Text;
}

interface MailFormProps {
  action: string;
  words: MailFormWords;
}

function MailForm({ action, words, next }: MailFormProps & { next: string | undefined }) {
  return (
    <>
      <h1>
        <T text={words.title} />
      </h1>
      <p class="lead">
        <T text={words.lead} />
      </p>
      <Form action={action}>
        {next && <input type="hidden" name="next" value={next} />}
        <Field name="email" label={FIELDS.email} type="email" autocomplete="username" isRequired />
        <button type="submit">
          <T text={words.button} />
        </button>
      </Form>
    </>
  );
}

/** The same page for every address, so that it does not reveal accounts. */
function SentPage({ action, words }: MailFormProps) {
  return (
    <>
      <h1>
        <T text={SENT.title} />
      </h1>
      <p class="lead">
        <T text={words.sent} />
      </p>
      <p>
        <T text={SENT.nothing} />
      </p>
      <p>
        <a href={action}>
          <T text={SENT.again} />
        </a>
      </p>
    </>
  );
}

function NoMailPage({ words }: Pick<MailFormProps, "words">) {
  return (
    <>
      <h1>
        <T text={words.title} />
      </h1>
      <p class="lead">
        <T text={NO_MAIL} />
      </p>
      <pre>
        <code>shipscore-server account link you@example.com</code>
      </pre>
    </>
  );
}

interface MailFormOptions {
  path: string;
  words: MailFormWords;
  send: (deps: Deps, request: LinkRequest) => Promise<void>;
}

function addMailForm(
  door: FastifyInstance,
  deps: Deps,
  { path, words, send }: MailFormOptions,
): void {
  const sentPath = `${path}/sent`;
  const nextOf = (request: FastifyRequest) =>
    readOwnPath(parameterOf(request, "next") ?? fieldsOf(request)["next"]);
  const form = (request: FastifyRequest) =>
    deps.mailer ? (
      <MailForm action={path} words={words} next={nextOf(request)} />
    ) : (
      <NoMailPage words={words} />
    );
  const page = { title: words.title, isIndexed: true };

  door.get(path, (request, reply) =>
    sendVisitorPage(request, reply, { ...page, children: form(request) }),
  );

  door.get(sentPath, (request, reply) =>
    sendVisitorPage(request, reply, {
      title: SENT.title,
      children: <SentPage action={path} words={words} />,
    }),
  );

  door.post(path, async (request, reply) => {
    const email = Email.safeParse(fieldsOf(request)["email"] ?? "");
    if (!email.success) {
      const refused = refuse({ email: EMAIL_INVALID });
      return sendVisitorPage(request, reply, { ...page, refused, children: form(request) });
    }
    const address = findVisitor(request.raw, deps.config.trustedProxies);
    const language = languageOf(request);
    await send(deps, { email: email.data, address, language, next: nextOf(request) });
    return reply.redirect(deps.mailer ? sentPath : path, 303);
  });
}

export function mailFormRoutes(door: FastifyInstance, deps: Deps): void {
  addMailForm(door, deps, { path: "/forgot", words: FORGOT, send: sendPasswordLink });
  if (deps.config.hasSignUp)
    addMailForm(door, deps, { path: "/sign-up", words: SIGN_UP, send: sendSignUpLink });
}
