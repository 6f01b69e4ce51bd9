import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deleteAccount } from "../../../access/account-deletion.ts";
import {
  changePassword,
  changePreferences,
  signOutOtherSessions,
  Preferences,
} from "../../../access/account-settings.ts";
import { Email } from "../../../access/accounts.ts";
import { offerEmail } from "../../../access/links.ts";
import { endSession } from "../../../access/sessions.ts";
import { findAccountSettings } from "../../../db/accounts/account-settings.ts";
import { findEvents } from "../../../db/accounts/events.ts";
import { dismissNotices, findNotices } from "../../../db/accounts/notices.ts";
import { listPasskeys } from "../../../db/accounts/passkeys.ts";
import { findApiSettings } from "../../../db/accounts/tokens.ts";
import type { Deps, ProcessDeps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { describeWait } from "../../kit/time.tsx";
import { parameterOf, readOwnPath } from "../../kit/request-parameters.ts";
import { findFlashCode } from "../../kit/flash-messages.tsx";
import { Field } from "../../kit/fields.tsx";
import { refuse, type Fields, type Refusals, type Refusal, fieldsOf } from "../../kit/forms.ts";
import { setSessionCookie, setCookie } from "../../kit/session/cookie.ts";
import { formsOf, type SentForm } from "../../kit/session/form-handlers.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { CONFIRM, PASSWORD_PROBLEMS, EMAIL_INVALID } from "../../kit/session/sign-in-words.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { CONFIRM_SESSIONS } from "./account-sections.tsx";
import { AccountPage, FORMS } from "./account-page.tsx";
import { ACCOUNT_WORDS, PROBLEMS } from "./account-words.ts";
import { isLanguage } from "../../../../shared/language.ts";

/** A select sends "" for its first option. */
const orNull = (value: string | undefined) => (value === "" ? null : value);

function readPreferences(fields: Fields): Preferences | Refusal {
  const input = { language: orNull(fields["language"]), timeZone: orNull(fields["time_zone"]) };
  const { data, error } = Preferences.safeParse(input);
  if (data !== undefined) return data;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  return refuse({
    ...(wrong.has("language") && { language: PROBLEMS.language }),
    ...(wrong.has("timeZone") && { time_zone: PROBLEMS.timeZone }),
  });
}

function readConfirmation(fields: Fields, email: string): Refusal | undefined {
  const entered = (fields["confirm_name"] ?? "").trim().toLowerCase();
  return entered === email ? undefined : refuse({ confirm_name: PROBLEMS.confirm });
}

const PATH = FORMS.password;

const REFUSALS: Refusals = {
  password_refused: ({ fault }) => ({ new_password: PASSWORD_PROBLEMS[fault] }),
  link_email_own: { email: PROBLEMS.emailOwn },
  link_needs_mail: { email: ACCOUNT_WORDS.noMail },
  too_often: ({ retryAfterSeconds }) => ({ email: describeWait(retryAfterSeconds) }),
};

export function accountRoutes(door: FastifyInstance, deps: Deps): void {
  const { sql } = deps.database;

  async function findOpen({ caller, accountId }: SignedInRequest) {
    const settings = await findApiSettings(sql, caller);
    return settings && { settings, passkeys: await listPasskeys(sql, accountId) };
  }

  async function send(request: FastifyRequest, reply: FastifyReply, refused?: Refusal) {
    const signedIn = getSignedIn(request);
    const settings = await findAccountSettings(sql, signedIn.caller);
    const events = await findEvents(sql, signedIn.accountId, parameterOf(request, "before"));
    const notices = await findNotices(sql, signedIn.accountId);
    const open =
      findFlashCode(request) === "password-changed" ? await findOpen(signedIn) : undefined;
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
          sendsMail={deps.mailer !== undefined}
        />
      ),
    });
  }

  door.get(PATH, (request, reply) => send(request, reply));

  const addForm = formsOf(door, deps, { page: PATH, refusals: REFUSALS, render: send });

  addForm(FORMS.email, async ({ actor, language, fields, confirm }) => {
    const email = Email.safeParse(fields["email"] ?? "");
    if (!email.success) return refuse({ email: EMAIL_INVALID });
    const refused = await confirm();
    if (refused) return refused;
    await offerEmail(deps, actor, { email: email.data, language });
    return "email-asked";
  });

  addForm(PATH, async ({ actor, hasPassword, fields, confirm }) => {
    const { current_password: current, passkey, new_password: next = "" } = fields;
    if (!current && !passkey && hasPassword) return refuse({ current_password: CONFIRM.missing });
    const refused = await confirm();
    if (refused) return refused;
    await changePassword(deps, actor, next);
    return "password-changed";
  });

  addForm(FORMS.preferences, async ({ actor, fields }) => {
    const preferences = readPreferences(fields);
    if ("problems" in preferences) return preferences;
    await changePreferences(deps, actor, preferences);
    return "saved";
  });

  addForm(CONFIRM_SESSIONS, async ({ confirm }) => (await confirm()) ?? { to: `${PATH}#sessions` });

  addForm(`${PATH}/notices`, async ({ accountId, fields: { up_to: upTo = "" } }) => {
    if (/^\d{1,18}$/.test(upTo)) await dismissNotices(sql, accountId, upTo);
    return undefined;
  });

  const confirmToEnd = async ({ confirm }: SentForm) => {
    const refused = await confirm();
    return refused && { ...refused, action: CONFIRM_SESSIONS };
  };
  addForm(`${FORMS.sessions}/:id/end`, async (sent) => {
    const refused = await confirmToEnd(sent);
    if (refused) return refused;
    await endSession(deps, sent.actor, sent.id);
    return "session-ended";
  });
  addForm(`${FORMS.sessions}/end-others`, async (sent) => {
    const refused = await confirmToEnd(sent);
    if (refused) return refused;
    await signOutOtherSessions(deps, sent.actor);
    return "sessions-ended";
  });

  addConfirmation(door, deps, {
    path: FORMS.delete,
    find: async (request) => getSignedIn(request),
    ask: ({ email }) => ({
      consequence: ACCOUNT_WORDS.deleteLead,
      button: ACCOUNT_WORDS.deleteButton,
      name: email,
      back: PATH,
      children: (
        <Field name="confirm_name" label={ACCOUNT_WORDS.confirm} hint={ACCOUNT_WORDS.confirmHint} />
      ),
    }),
    isSensitive: true,
    async act({ actor, accountId, email }, { fields, confirm, reply }) {
      const refused = readConfirmation(fields, email) ?? (await confirm());
      if (refused !== undefined) return refused;
      try {
        await deleteAccount(deps, actor, accountId);
      } catch (error) {
        if (isAppError(error, "account_has_projects")) return { to: `${PATH}#delete` };
        // After a second click: the first deleted the account.
        if (!isAppError(error, "unauthorized")) throw error;
      }
      setSessionCookie(reply, deps.config, undefined);
      return undefined;
    },
    redirect: () => ({ to: "/sign-in", done: "account-deleted" }),
  });
}

export function languageRoutes(door: FastifyInstance, deps: Deps): void {
  door.post("/language", { config: { formOn: "/projects" } }, async (request, reply) => {
    const { language, next } = fieldsOf(request);
    if (isLanguage(language))
      await changePreferences(deps, getSignedIn(request).actor, { language });
    return reply.redirect(readOwnPath(next) ?? "/projects", 303);
  });
}

export function visitorLanguageRoutes(door: FastifyInstance, { config }: ProcessDeps): void {
  door.post("/visitor/language", async (request, reply) => {
    const { language, next } = fieldsOf(request);
    if (isLanguage(language)) setCookie("language", reply, config, language);
    return reply.redirect(readOwnPath(next) ?? "/", 303);
  });
}
