import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { languageOf, readOwnPath } from "../request-parameters.ts";
import { addFlash, findFlashCode } from "../flash-messages.tsx";
import { NO_INPUT, inputOf, type Refusal } from "../forms.ts";
import type { Wording, Reader } from "../reader.tsx";
import { renderDocument } from "../document.tsx";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";
import { PASSKEY_SCRIPT } from "./passkey.tsx";

/** The path of the page that a form stands on. */
export function pageOf({ routeOptions, params, url }: FastifyRequest): string {
  const { formOn } = routeOptions.config;
  if (formOn === undefined) return url;
  return formOn.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
}

/** The page that a form stands on, with the query that the form was sent with. */
export function formPageOf(request: FastifyRequest): string {
  const [path = ""] = pageOf(request).split("?", 1);
  const [, query = ""] = request.url.split("?");
  return query === "" ? path : `${path}?${query}`;
}

/** Who reads a page; a form's answer is one of the page that it stands on. */
export function readerOf(request: FastifyRequest): Reader {
  const { signedIn } = request;
  return {
    language: languageOf(request),
    timeZone: signedIn?.timeZone ?? null,
    person: signedIn && { email: signedIn.email, openIncidents: signedIn.openIncidents },
    path: readOwnPath(pageOf(request)),
    ...(signedIn && { now: signedIn.now }),
  };
}

/** A page of the application. */
export interface SignedInPage {
  title: Wording;
  children: ComponentChildren;
  script?: string | undefined;
  /** The address that a browser without script opens every few seconds. */
  refresh?: string | undefined;
  /** The form of it that was refused. */
  refused?: Refusal | undefined;
  /** 200 by default, or else as the form was refused. */
  status?: number;
}

/** Adds the scripts of passkeys and of the focus where the page needs them. */
function scriptFor(request: FastifyRequest, own: string | undefined) {
  const { signedIn, method } = request;
  const mayAsk = signedIn?.hasPasskeys && !signedIn.isConfirmed;
  const isAnswer = method === "POST" || findFlashCode(request) !== undefined;
  const scripts = [own, mayAsk && PASSKEY_SCRIPT, isAnswer && FOCUS_SCRIPT];
  return scripts.filter(Boolean).join("\n") || undefined;
}

/** Sends a page to the person who is signed in. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, children, refused, status = refused?.status ?? 200, ...page }: SignedInPage,
): FastifyReply {
  const reader = readerOf(request);
  const script = scriptFor(request, page.script);
  const preview = previewOf(request);
  const html = renderDocument({
    ...reader,
    typed: refused ? inputOf(request, refused) : NO_INPUT,
    ...preview,
    ...page,
    isWide: true,
    title,
    script,
    children: addFlash(request, children),
  });
  return reply
    .status(status)
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(html);
}

/** A page that anybody may see, signed in or not. */
export interface VisitorPage {
  title: Wording;
  children: ComponentChildren;
  script?: string;
  /** The form of it that was refused. */
  refused?: Refusal | undefined;
  /** True for a page that search engines may show. */
  isIndexed?: boolean;
  hasSignIn?: boolean;
  hasLanguages?: boolean;
}

/** Sends a page to somebody who may be signed in or not. */
export function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, isIndexed = false, children, ...page }: VisitorPage,
): FastifyReply {
  const reader = readerOf(request);
  const scripts = [page.script, (refused || findFlashCode(request)) && FOCUS_SCRIPT];
  const script = scripts.filter(Boolean).join("\n") || undefined;
  const html = renderDocument({
    ...previewOf(request),
    ...reader,
    ...page,
    ...(refused && { typed: inputOf(request, refused) }),
    isIndexed,
    script,
    children: addFlash(request, children),
  });
  return reply
    .status(refused?.status ?? 200)
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(html);
}
