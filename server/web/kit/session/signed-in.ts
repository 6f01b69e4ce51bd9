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

/** A request of somebody who is signed in. */
export interface SignedInRequest extends SignedIn {
  readonly language: Language;
  /** What verbs take. */
  readonly actor: SessionActor;
  /** What reads take. */
  readonly caller: CallerRow;
}

declare module "fastify" {
  interface FastifyRequest {
    signedIn: SignedInRequest | undefined;
  }
  interface FastifyContextConfig {
    /** The path of the page on which the form stands that a POST route takes, if it is not the route's own. */
    formOn?: string;
  }
}

export const SECOND_FACTOR_PATH = "/settings/account/second-factor";
export const ACCOUNT_DELETION_PATH = "/settings/account/delete";

/** True for the pages on which a second factor or a passkey is set up, and for the choice of a language. */
const isSetUpPage = ({ routeOptions }: FastifyRequest) =>
  /^\/(?:settings\/account\/(?:second-factor|passkeys)(?:\/|$)|language$)/.test(
    routeOptions.url ?? "",
  );

/** True for what an open page asks for by itself, such as its events: nobody need be in front of it. Over http only the type tells. */
const isScriptRequest = ({ method, headers }: FastifyRequest) =>
  method === "GET" &&
  (headers["sec-fetch-dest"] === "empty" || headers.accept === "text/event-stream");

/** Finds the person who is signed in; undefined for a visitor. */
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

/** Makes a request know who is signed in. Where that fails it is nobody: the page is there for visitors too. */
export async function identifyUser(deps: Deps, request: FastifyRequest): Promise<void> {
  request.signedIn ??= await findSignedInRequest(deps, request).catch(() => undefined);
}

/** Makes the requests of a door that visitors read too know who is signed in. */
export function identifyUsers(door: FastifyInstance, deps: Deps): void {
  door.addHook("onRequest", (request) => identifyUser(deps, request));
}

/** Reads who is to see that a request failed. */
export const createReaderFinder = (deps: Deps) => async (request: FastifyRequest) => {
  await identifyUser(deps, request);
  return readerOf(request);
};

/** Who is signed in. Only for routes of `signedInRoutes`. */
export function getSignedIn({ signedIn }: FastifyRequest): SignedInRequest {
  if (signedIn === undefined) throw new AppError("unauthorized", {});
  return signedIn;
}

/** Leads the address of a form, which a browser shows once the form was refused, to the form's page. */
function redirectToFormPages(door: FastifyInstance): void {
  door.addHook("onRoute", ({ method, routePath, config }) => {
    const { formOn = routePath } = config ?? {};
    if (method === "POST" && formOn !== routePath)
      door.get(routePath, { config: { formOn } }, (request, reply) =>
        reply.redirect(pageOf(request), 303),
      );
  });
}

/** The sign-in page in place of what a form asked for. The input is neither sent nor saved, as the form's page then says. */
function askToSignIn(deps: Deps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // It may be a second click: the first has deleted the account, and the session with it.
  if (request.routeOptions.url === ACCOUNT_DELETION_PATH) return reply.redirect("/sign-in", 303);
  const next = readOwnPath(withFlash(pageOf(request), "input-lost"));
  return sendSignInPage(deps, request, reply, { next, isInputLost: true });
}

/**
 * Registers routes for signed-in users. Signed out, every page and every form leads to the sign-in, and the body of a form is
 * not read.
 */
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
      // A form waits for no read, so that a crowd of reads keeps nobody from revoking its token or session.
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

/** Registers routes with forms that anybody may see, signed in or not. */
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
