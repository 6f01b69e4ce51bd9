import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { typedInto, type Refused } from "../forms.ts";
import type { Wording } from "../reader.tsx";
import { readerOf } from "./reader.ts";
import { renderDocument } from "../document.tsx";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";

/** A page that anybody may see, signed in or not. */
export interface VisitorPage {
  title: Wording;
  children: ComponentChildren;
  script?: string;
  /** The form of it that was refused. */
  refused?: Refused | undefined;
  /** True for a page that search engines may show. */
  isIndexed?: boolean;
  hasSignIn?: boolean;
  hasLanguages?: boolean;
}

/** Sends a page to somebody who may be signed in or not. */
export function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, isIndexed = false, ...page }: VisitorPage,
): FastifyReply {
  const reader = readerOf(request);
  const scripts = [page.script, refused && FOCUS_SCRIPT];
  const script = scripts.filter(Boolean).join("\n") || undefined;
  const html = renderDocument({
    ...previewOf(request),
    ...reader,
    ...page,
    ...(refused && { typed: typedInto(request, refused) }),
    isIndexed,
    script,
  });
  return reply
    .status(refused?.status ?? 200)
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(html);
}
