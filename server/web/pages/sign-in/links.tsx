import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Email, normalizeEmail } from "../../../access/accounts.ts";
import { getLink } from "../../../access/links.ts";
import {
  changeEmailByLink,
  createFirstAccount,
  setPasswordByLink,
  signInByLink,
  signUpByLink,
} from "../../../access/link-uses.ts";
import { findPasswordFault } from "../../../access/passwords.ts";
import type { LinkKind, ShownLink } from "../../../db/accounts/links.ts";
import type { ClientInfo } from "../../../db/accounts/sessions.ts";
import type { Deps, ProcessDeps } from "../../../deps.ts";
import { needsPasskey } from "../../../access/second-factor.ts";
import { isAppError } from "../../../base/errors.ts";
import type { Language } from "../../../../shared/language.ts";
import { Form, Field } from "../../kit/fields.tsx";
import { fieldsOf, refuse, type Fields, type Refusal } from "../../kit/forms.ts";
import {
  CODE,
  PASSKEY,
  PASSWORD_PROBLEMS,
  EMAIL_INVALID,
  PASSWORD_HINT,
} from "../../kit/session/sign-in-words.ts";
import { setSessionCookie, clientOf } from "../../kit/session/cookie.ts";
import { readForAnybody } from "../../kit/public-reads.ts";
import { languageOf, parameterOf, readOwnPath } from "../../kit/request-parameters.ts";
import { TIME_ZONE_SCRIPT, CodeField, TimeZoneField } from "../../kit/session/sign-in-fields.tsx";
import { withFlash } from "../../kit/flash-messages.tsx";
import { sendVisitorPage } from "../../kit/session/page.ts";
import { PasskeyOnlyPage } from "./second-step.tsx";
import { LINK_PAGES, FIELDS } from "./link-words.ts";

function LinkFields({ link }: { link: ShownLink }) {
  const { kind } = link;
  if (kind === "email" || kind === "sign_in") return null;
  return (
    <>
      {kind === "first_account" ? (
        <Field name="email" label={FIELDS.email} type="email" autocomplete="username" isRequired />
      ) : (
        // Only for password managers, which store a password by its user name.
        <input type="text" autocomplete="username" value={emailOf(link)} readOnly hidden />
      )}
      <Field
        name="password"
        label={kind === "password" ? FIELDS.newPassword : FIELDS.password}
        type="password"
        autocomplete="new-password"
        hint={PASSWORD_HINT}
        isRequired
      />
    </>
  );
}

const emailOf = ({ kind, email, accountEmail }: ShownLink) =>
  (kind === "email" || kind === "sign_up" ? email : accountEmail) ?? "";

function LinkPage({ path, link }: { path: string; link: ShownLink }) {
  const { title, lead, button } = LINK_PAGES[link.kind];
  return (
    <>
      <h1>
        <T text={title} />
      </h1>
      <p class="lead">
        <T text={lead(emailOf(link))} />
      </p>
      <Form action={path}>
        <TimeZoneField />
        <LinkFields link={link} />
        {link.hasSecondFactor && link.kind !== "email" && <CodeField isRequired />}
        <button type="submit">
          <T text={button} />
        </button>
      </Form>
    </>
  );
}

const HOME = "/projects";
const ACCOUNT = "/settings/account";
const CHANGED = withFlash(ACCOUNT, "password-changed");

type LinkRequest = FastifyRequest<{ Params: { secret: string } }>;

async function findProblems(
  deps: Deps,
  { kind }: ShownLink,
  { email = "", password = "" }: Fields,
): Promise<Refusal["problems"]> {
  if (kind === "email" || kind === "sign_in") return {};
  const fault = await findPasswordFault(password);
  const isEmail = kind !== "first_account" || Email.safeParse(email).success;
  return {
    ...(!isEmail && { email: EMAIL_INVALID }),
    ...(fault && { password: PASSWORD_PROBLEMS[fault] }),
  };
}

interface LinkUse {
  secret: string;
  accountId: string | null;
  code: string;
  email: string;
  password: string;
  client: ClientInfo;
  language: Language;
}

/** They return the secret of a new session. */
const SESSION_STARTERS: Readonly<
  Record<Exclude<LinkKind, "email">, (deps: Deps, use: LinkUse) => Promise<string>>
> = {
  password: setPasswordByLink,
  first_account: createFirstAccount,
  sign_up: signUpByLink,
  sign_in: signInByLink,
};

function readLinkUse(
  request: LinkRequest,
  { config }: ProcessDeps,
  { accountId }: ShownLink,
): LinkUse {
  const { email, password = "", code = "" } = fieldsOf(request);
  return {
    secret: request.params.secret,
    accountId,
    code,
    email: normalizeEmail(email),
    password,
    client: clientOf(request, config),
    language: languageOf(request),
  };
}

/** A GET request changes nothing, because programs that scan e-mails open links too. */
export function linkRoutes(door: FastifyInstance, deps: Deps): void {
  function show(request: LinkRequest, reply: FastifyReply, link: ShownLink, refused?: Refusal) {
    if (link.kind !== "email" && needsPasskey(deps, link))
      return sendVisitorPage(request, reply, {
        title: PASSKEY.use,
        children: <PasskeyOnlyPage next={HOME} />,
        refused,
      });
    return sendVisitorPage(request, reply, {
      title: LINK_PAGES[link.kind].title,
      children: <LinkPage path={request.url} link={link} />,
      script: TIME_ZONE_SCRIPT,
      refused,
    });
  }

  door.get("/links/:secret", async (request: LinkRequest, reply) => {
    const { secret } = request.params;
    const link = await readForAnybody(deps, request, reply, () => getLink(deps, secret));
    return show(request, reply, link);
  });

  door.post("/links/:secret", async (request: LinkRequest, reply) => {
    const link = await getLink(deps, request.params.secret);
    const problems = await findProblems(deps, link, fieldsOf(request));
    if (Object.keys(problems).length > 0) return show(request, reply, link, refuse(problems));
    const use = readLinkUse(request, deps, link);
    if (link.kind === "email") {
      await changeEmailByLink(deps, use);
      return reply.redirect(ACCOUNT, 303);
    }
    const next = readOwnPath(parameterOf(request, "next")) ?? HOME;
    try {
      setSessionCookie(reply, deps.config, await SESSION_STARTERS[link.kind](deps, use));
      return await reply.redirect(link.kind === "password" ? CHANGED : next, 303);
    } catch (error) {
      if (!isAppError(error, "sign_in_code_wrong")) throw error;
      return show(request, reply, link, refuse({ code: CODE.wrong }));
    }
  });
}
