import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deleteAccount } from "../../../access/account-deletion.ts";
import {
  changePassword,
  changePreferences,
  endTheOthers,
} from "../../../access/account-settings.ts";
import { Email } from "../../../access/accounts.ts";
import { offerEmail } from "../../../access/links.ts";
import { endSession } from "../../../access/sessions.ts";
import { findAccountSettings } from "../../../db/accounts/account-settings.ts";
import { findEvents } from "../../../db/accounts/events.ts";
import { dismissNotices, findNotices } from "../../../db/accounts/notices.ts";
import { listPasskeys } from "../../../db/accounts/passkeys.ts";
import { findApiSettings } from "../../../db/accounts/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/failure.ts";
import { describeWait } from "../../kit/age.ts";
import { parameterOf } from "../../kit/asked.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { setSessionCookie } from "../../kit/session/cookie.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { CONFIRM } from "../../kit/session/sign-in-words.ts";
import { EMAIL_INVALID } from "../../kit/session/name-words.ts";
import { PASSWORD_PROBLEMS } from "../../kit/session/password-words.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { CONFIRM_SESSIONS } from "./sessions-section.tsx";
import { AccountPage, FORMS } from "./account-page.tsx";
import { readConfirmation, readPreferences } from "./account-fields.ts";
import { ACCOUNT_WORDS, DONE, PROBLEMS } from "./account-words.ts";

const PATH = FORMS.password;
const ON_PAGE = { config: { formOn: PATH } };

const isDone = (text: unknown): text is keyof typeof DONE =>
  typeof text === "string" && Object.hasOwn(DONE, text);

const leadBack = (reply: FastifyReply, done: keyof typeof DONE): FastifyReply =>
  reply.redirect(`${PATH}?done=${done}`, 303);

/** The settings of the account. */
export function accountRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function findOpen({ caller, accountId }: SignedInRequest) {
    const [settings, passkeys] = await Promise.all([
      findApiSettings(sql, caller),
      listPasskeys(sql, accountId),
    ]);
    return settings && { settings, passkeys };
  }

  async function show(request: FastifyRequest, reply: FastifyReply, refused?: Refused) {
    const signedIn = getSignedIn(request);
    const done = parameterOf(request, "done");
    const [settings, events, notices, open] = await Promise.all([
      findAccountSettings(sql, signedIn.caller),
      findEvents(sql, signedIn.accountId, parameterOf(request, "before")),
      findNotices(sql, signedIn.accountId),
      done === "password" ? findOpen(signedIn) : undefined,
    ]);
    if (settings === undefined) throw new AppError("unauthorized", {});
    return sendPage(request, reply, {
      title: ACCOUNT_WORDS.title,
      refused,
      children: (
        <AccountPage
          signedIn={signedIn}
          settings={settings}
          events={events}
          notices={notices}
          open={open}
          done={isDone(done) ? done : undefined}
          sendsMail={deps.mailer !== undefined}
        />
      ),
    });
  }

  async function refusePassword(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Refused | undefined> {
    const { actor, hasPassword } = getSignedIn(request);
    const { current_password: current, passkey, new_password: next = "" } = fieldsOf(request);
    if (!current && !passkey && hasPassword) return refuse({ current_password: CONFIRM.missing });
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed !== undefined) return unconfirmed;
    try {
      await changePassword(deps, actor, next);
      return undefined;
    } catch (error) {
      if (!isAppError(error, "password_refused")) throw error;
      return refuse({ new_password: PASSWORD_PROBLEMS[error.parameters.fault] });
    }
  }

  async function refuseEmail(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Refused | undefined> {
    const { actor, language } = getSignedIn(request);
    const email = Email.safeParse(fieldsOf(request)["email"] ?? "");
    if (!email.success) return refuse({ email: EMAIL_INVALID });
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed !== undefined) return unconfirmed;
    try {
      await offerEmail(deps, actor, { email: email.data, language });
      return undefined;
    } catch (error) {
      if (isAppError(error, "link_email_own")) return refuse({ email: PROBLEMS.emailOwn });
      if (isAppError(error, "link_needs_mail")) return refuse({ email: ACCOUNT_WORDS.noMail });
      if (!isAppError(error, "too_often")) throw error;
      refuseWith(reply, 429, error);
      return refuse({ email: describeWait(error.parameters.retryAfterSeconds) }, 429);
    }
  }

  door.get(PATH, (request, reply) => show(request, reply));

  door.post(FORMS.email, ON_PAGE, async (request, reply) => {
    const refusal = await refuseEmail(request, reply);
    return refusal ? show(request, reply, refusal) : leadBack(reply, "email");
  });

  door.post(PATH, async (request, reply) => {
    const refusal = await refusePassword(request, reply);
    return refusal ? show(request, reply, refusal) : leadBack(reply, "password");
  });

  door.post(FORMS.preferences, ON_PAGE, async (request, reply) => {
    const preferences = readPreferences(fieldsOf(request));
    if ("problems" in preferences) return show(request, reply, preferences);
    await changePreferences(deps, getSignedIn(request).actor, preferences);
    return leadBack(reply, "preferences");
  });

  door.post(CONFIRM_SESSIONS, ON_PAGE, async (request, reply) => {
    const refused = await findUnconfirmed(deps, request, reply);
    return refused ? show(request, reply, refused) : reply.redirect(`${PATH}#sessions`, 303);
  });

  door.post(`${PATH}/notices`, ON_PAGE, async (request, reply) => {
    const { up_to: upTo = "" } = fieldsOf(request);
    if (/^\d{1,18}$/.test(upTo)) await dismissNotices(sql, getSignedIn(request).accountId, upTo);
    return reply.redirect(PATH, 303);
  });

  door.post<{ Params: { id: string } }>(
    `${FORMS.sessions}/:id/end`,
    ON_PAGE,
    async (request, reply) => {
      const refused = await findUnconfirmed(deps, request, reply);
      if (refused !== undefined)
        return show(request, reply, { ...refused, action: CONFIRM_SESSIONS });
      await endSession(deps, getSignedIn(request).actor, request.params.id);
      return leadBack(reply, "session");
    },
  );

  door.post(`${FORMS.sessions}/end-others`, ON_PAGE, async (request, reply) => {
    const refused = await findUnconfirmed(deps, request, reply);
    if (refused !== undefined)
      return show(request, reply, { ...refused, action: CONFIRM_SESSIONS });
    await endTheOthers(deps, getSignedIn(request).actor);
    return leadBack(reply, "sessions");
  });

  door.post(FORMS.delete, ON_PAGE, async (request, reply) => {
    const signedIn = getSignedIn(request);
    const refused =
      readConfirmation(fieldsOf(request), signedIn.email) ??
      (await findUnconfirmed(deps, request, reply));
    if (refused !== undefined) return show(request, reply, refused);
    try {
      await deleteAccount(deps, signedIn.actor, signedIn.accountId);
    } catch (error) {
      if (!isAppError(error, "account_has_projects")) throw error;
      return show(request, reply, refuse({}));
    }
    setSessionCookie(reply, deps.config, undefined);
    return reply.redirect("/projects", 303);
  });
}
