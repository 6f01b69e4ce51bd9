import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { needsSetUp } from "../../../access/second-factor.ts";
import { fingerprintOfSession } from "../../../access/sessions.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import { callerOfSession, type CallerRow } from "../../../db/accounts/callers.ts";
import { findSignedIn, type SignedIn } from "../../../db/accounts/sessions.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { beginRead } from "../../../http/caller.ts";
import { requireOwnPage } from "../../../http/origin.ts";
import { boundLongBody } from "../../../http/requests.ts";
import { findVisitor } from "../../../http/visitor.ts";
import type { Language } from "../../../../shared/language.ts";
import { findSessionSecret } from "./cookie.ts";
import { languageOf, readOwnPath } from "../request-parameters.ts";
import { withFlash } from "../flash-messages.tsx";
import { createErrorHandler } from "../error-pages.tsx";
import { acceptForms, answerHead } from "../forms.ts";
import { createStreams, type Streams } from "../streams.ts";
import { pageOf, readerOf } from "./page.ts";
import { sendSignInPage } from "./sign-in-page.tsx";

export interface SignedInRequest extends SignedIn {
  readonly language: Language;
  /** For verbs. */
  readonly actor: SessionActor;
  /** For reads. */
  readonly caller: CallerRow;
}

declare module "fastify" {
  interface FastifyRequest {
    signedIn: SignedInRequest | undefined;
  }
  interface FastifyContextConfig {
    /** The route of the page that has the form, if it is not the POST route itself. */
    formOn?: string;
  }
}

export const SECOND_FACTOR_PATH = "/settings/account/second-factor";
export const ACCOUNT_DELETION_PATH = "/settings/account/delete";

/** The pages where two-factor authentication or a passkey is set up, and the language switch. */
const isSetUpPage = ({ routeOptions }: FastifyRequest) =>
  /^\/(?:settings\/account\/(?:second-factor|passkeys)(?:\/|$)|language$)/.test(
    routeOptions.url ?? "",
  );

/**
 * An open page sends such requests by itself, so they do not count as activity. Over http browsers send no `sec-fetch-dest`,
 * so only `accept` shows it.
 */
const isScriptRequest = ({ method, headers }: FastifyRequest) =>
  method === "GET" &&
  (headers["sec-fetch-dest"] === "empty" || headers.accept === "text/event-stream");

export async function findSignedInRequest(
  deps: Deps,
  request: FastifyRequest,
): Promise<SignedInRequest | undefined> {
  const secret = findSessionSecret(request, deps.config);
  if (secret === undefined) return undefined;
  const { sql } = deps.database;
  const fingerprint = fingerprintOfSession(secret);
  const session = await findSignedIn(sql, fingerprint, !isScriptRequest(request));
  if (session === undefined) return undefined;
  const { accountId, sessionId } = session;
  const address = findVisitor(request.raw, deps.config.trustedProxies);
  return {
    ...session,
    language: session.language ?? languageOf(request),
    actor: { by: "session", accountId, sessionId, address },
    caller: callerOfSession(fingerprint),
  };
}

/** If the session cannot be read, the user counts as a visitor, because visitors may see the page too. */
export async function identifyUser(deps: Deps, request: FastifyRequest): Promise<void> {
  request.signedIn ??= await findSignedInRequest(deps, request).catch(() => undefined);
}

export function identifyUsers(door: FastifyInstance, deps: Deps): void {
  door.addHook("onRequest", (request) => identifyUser(deps, request));
}

export const createReaderFinder = (deps: Deps) => async (request: FastifyRequest) => {
  await identifyUser(deps, request);
  return readerOf(request);
};

/** Only for routes of `signedInRoutes`. */
export function getSignedIn({ signedIn }: FastifyRequest): SignedInRequest {
  if (signedIn === undefined) throw new AppError("unauthorized", {});
  return signedIn;
}

/** After a refusal, the address bar has the form's path. Opening it leads to the page that has the form. */
function redirectToFormPages(door: FastifyInstance): void {
  door.addHook("onRoute", ({ method, routePath, config }) => {
    const { formOn = routePath } = config ?? {};
    if (method === "POST" && formOn !== routePath)
      door.get(routePath, { config: { formOn } }, (request, reply) =>
        reply.redirect(pageOf(request), 303),
      );
  });
}

/** The input is lost; the form's page says so after sign-in. */
function askToSignIn(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // After a second click: the first deleted the account, and its session with it.
  if (request.routeOptions.url === ACCOUNT_DELETION_PATH) return reply.redirect("/sign-in", 303);
  const next = readOwnPath(withFlash(pageOf(request), "input-lost"));
  return sendSignInPage(deps, request, reply, { next, isInputLost: true });
}

/** Visitors are sent to the sign-in page, and the body of their form is not read. */
export const signedInRoutes =
  (
    deps: Deps,
    routes: readonly ((door: FastifyInstance, deps: Deps, streams: Streams) => void)[],
  ) =>
  async (door: FastifyInstance): Promise<void> => {
    door.removeAllContentTypeParsers();
    acceptForms(door);
    answerHead(door);
    redirectToFormPages(door);
    door.setErrorHandler(createErrorHandler(deps, createReaderFinder(deps)));
    const refuseForeignForm = requireOwnPage(deps.config);
    door.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      const isForm = request.method === "POST";
      if (isForm) await refuseForeignForm(request);
      // A form does not wait for reads, so that many reads cannot delay the revocation of their token or session.
      const secret = isForm ? undefined : findSessionSecret(request, deps.config);
      if (secret !== undefined)
        await beginRead(deps, request, callerOfSession(fingerprintOfSession(secret)));
      const signedIn = await findSignedInRequest(deps, request);
      request.signedIn = signedIn;
      if (signedIn !== undefined) request.caller = { row: signedIn.caller, actor: signedIn.actor };
      if (signedIn !== undefined && needsSetUp(deps, signedIn) && !isSetUpPage(request))
        return reply.redirect(SECOND_FACTOR_PATH, 303);
      if (signedIn !== undefined)
        return boundLongBody(deps, request, reply, { accountId: signedIn.accountId });
      if (isForm) return askToSignIn(deps, request, reply);
      const path = `/sign-in?next=${encodeURIComponent(request.url)}`;
      return reply.redirect(path, 303);
    });
    const streams = createStreams(deps);
    for (const add of routes) add(door, deps, streams);
  };

export const visitorRoutes =
  (deps: Deps, routes: readonly ((door: FastifyInstance, deps: Deps) => void)[]) =>
  async (door: FastifyInstance): Promise<void> => {
    door.removeAllContentTypeParsers();
    acceptForms(door);
    answerHead(door);
    const refuseForeignForm = requireOwnPage(deps.config);
    door.addHook("onRequest", async (request) => {
      if (request.method === "POST") await refuseForeignForm(request);
    });
    identifyUsers(door, deps);
    for (const add of routes) add(door, deps);
  };
