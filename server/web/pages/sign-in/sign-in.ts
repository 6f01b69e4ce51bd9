import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { endSession } from "../../../access/sessions.ts";
import { signInByPasskey } from "../../../access/passkeys.ts";
import type { HalfSignIn } from "../../../access/half-sign-in.ts";
import { signIn, type Begun } from "../../../access/sign-in.ts";
import { insertDraft, type Draft } from "../../../db/accounts/drafts.ts";
import { lockAccount } from "../../../db/accounts/tokens.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/errors.ts";
import { parseJson } from "../../../base/syntax/nested-json.ts";
import { parameterOf, readOwnPath } from "../../kit/asked.ts";
import { fieldsOf, MAX_FORM_BYTES, refuse } from "../../kit/forms.ts";
import { setCookie, setSessionCookie, clientOf } from "../../kit/session/cookie.ts";
import { mayReadForm } from "../../kit/session/long-forms.ts";
import { askOf } from "../../kit/session/passkey-asks.ts";
import { findRelyingParty } from "../../kit/session/passkey.tsx";
import { sendSignInPage, type SignInPage } from "../../kit/session/sign-in-page.tsx";
import { HALF_PATH } from "./half.tsx";
import { PASSKEY, REFUSED, describeSignInWait } from "../../kit/session/sign-in-words.ts";
import * as z from "zod";

const MAX_FIELDS = 50;
const MAX_NAME_LENGTH = 50;

/** The database takes no text with a NUL or half a surrogate pair. */
const Stored = z.string().transform((text) => Buffer.from(text).toString().replaceAll("\0", ""));

const DraftField = z.object({
  action: z.string().refine((text) => readOwnPath(text) === text),
  // Counted before it is looked at one by one: thirty thousand fields would take half a second.
  fields: z
    .unknown()
    .refine((fields) => Object.keys(Object(fields)).length <= MAX_FIELDS)
    .pipe(z.record(z.string().regex(/^\w+$/).max(MAX_NAME_LENGTH), Stored)),
});

/** The draft in the sign-in page's field `draft`; undefined if it is empty or that page did not write it. */
export const readDraftField = (text: string | undefined): Draft | undefined =>
  text === undefined ? undefined : DraftField.safeParse(parseJson(text)).data;

const HOME = "/projects";
/** What was typed into the longest form, quoted once more. */
const MAX_SIGN_IN_BYTES = 3 * MAX_FORM_BYTES;

/** What the form carries through the sign-in. The draft is read once it is known whose it is. */
function carriedBy(request: FastifyRequest) {
  const { next, draft } = fieldsOf(request);
  return { next: readOwnPath(next), draft };
}

/** Signs in by whichever of the form's ways was used. */
function signInBy(deps: Deps, request: FastifyRequest): Promise<Begun | HalfSignIn> {
  const { email = "", password = "", passkey = "" } = fieldsOf(request);
  const client = clientOf(request, deps.config);
  if (passkey === "") return signIn(deps, { email, password }, client);
  const party = findRelyingParty(request, deps.config);
  if (party === undefined) throw new AppError("passkey_refused", {});
  return signInByPasskey(deps, party, passkey, client);
}

/** Shows the form again, with why. Throws what is no refusal. */
function showAgain(
  error: unknown,
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const send = (why: SignInPage) =>
    sendSignInPage(deps, request, reply, { ...carriedBy(request), ...why });
  if (isAppError(error, "sign_in_refused")) return send({ refused: refuse({ password: REFUSED }) });
  if (isAppError(error, "passkey_refused"))
    return send({ refusal: PASSKEY.refused, refused: refuse({}) });
  if (!isAppError(error, "too_often")) throw error;
  refuseWith(reply, 429, error);
  const refusal = describeSignInWait(error.parameters.retryAfterSeconds);
  return send({ refusal, refused: refuse({}, 429) });
}

/** The path, with the draft that its form is to be filled with. */
async function keepDraft(
  { database }: Deps,
  accountId: string,
  draft: Draft,
  path: string,
): Promise<string> {
  const { pathname, searchParams } = new URL(path, "http://own.invalid");
  const id = await database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    return insertDraft(sql, accountId, draft);
  });
  searchParams.set("draft", id);
  return `${pathname}?${searchParams.toString()}`;
}

/** The page and the form that signs in, and the button that signs out. */
export function signInRoutes(door: FastifyInstance, deps: Deps): void {
  const { config } = deps;

  door.get("/sign-in", async (request, reply) => {
    const path = readOwnPath(parameterOf(request, "next"));
    if (request.signedIn !== undefined) return reply.redirect(path ?? HOME, 303);
    return sendSignInPage(deps, request, reply, { next: path });
  });

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await mayReadForm(deps, request, reply, MAX_SIGN_IN_BYTES)))
      throw new AppError("body_too_large", { maxBytes: MAX_SIGN_IN_BYTES });
  };
  door.post("/sign-in", { bodyLimit: MAX_SIGN_IN_BYTES, onRequest }, async (request, reply) => {
    const { next = HOME, draft } = carriedBy(request);
    try {
      const begun = await signInBy(deps, request);
      const read = readDraftField(draft);
      const path = read ? await keepDraft(deps, begun.accountId, read, next) : next;
      if ("half" in begun) {
        setCookie("half", reply, config, begun.half);
        return await reply.redirect(`${HALF_PATH}?next=${encodeURIComponent(path)}`, 303);
      }
      setSessionCookie(reply, config, begun.secret);
      return await reply.redirect(path, 303);
    } catch (error) {
      return showAgain(error, deps, request, reply);
    }
  });

  door.get("/sign-in/passkey", async (request) => askOf(deps, request));

  door.post("/sign-out", async (request, reply) => {
    const { signedIn } = request;
    if (signedIn !== undefined) await endSession(deps, signedIn.actor, signedIn.sessionId);
    setSessionCookie(reply, config, undefined);
    return reply.redirect("/sign-in", 303);
  });
}
