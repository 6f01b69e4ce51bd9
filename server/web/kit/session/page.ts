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

export function pageOf({ routeOptions, params, url }: FastifyRequest): string {
  const { formOn } = routeOptions.config;
  if (formOn === undefined) return url;
  return formOn.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
}

export function formPageOf(request: FastifyRequest): string {
  const [path = ""] = pageOf(request).split("?", 1);
  const [, query = ""] = request.url.split("?");
  return query === "" ? path : `${path}?${query}`;
}

/** In the response to a form, `path` is the path of the page that has the form. */
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

export interface SignedInPage {
  title: Wording;
  children: ComponentChildren;
  script?: string | undefined;
  /** A browser without script loads it every few seconds. */
  refresh?: string | undefined;
  refused?: Refusal | undefined;
  status?: number;
}

function scriptFor(request: FastifyRequest, own: string | undefined) {
  const { signedIn, method } = request;
  const mayConfirm = signedIn?.hasPasskeys && !signedIn.isConfirmed;
  const isResponse = method === "POST" || findFlashCode(request) !== undefined;
  const scripts = [own, mayConfirm && PASSKEY_SCRIPT, isResponse && FOCUS_SCRIPT];
  return scripts.filter(Boolean).join("\n") || undefined;
}

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

export interface VisitorPage {
  title: Wording;
  children: ComponentChildren;
  script?: string;
  refused?: Refusal | undefined;
  isIndexed?: boolean;
  hasSignIn?: boolean;
  hasLanguages?: boolean;
}

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
