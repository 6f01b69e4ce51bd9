import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { readerOf } from "./reader.ts";
import { renderDocument } from "../document.tsx";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";

/** A page that anybody may see, signed in or not. */
export interface VisitorPage {
  title: string;
  children: ComponentChildren;
  script?: string;
  /** 200 by default; 422 for a form that was refused. */
  status?: number;
  /** True for a page that search engines may show. */
  isIndexed?: boolean;
}

/** Sends a page to somebody who may be signed in or not. */
export function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, isIndexed = false, ...page }: VisitorPage,
): FastifyReply {
  const reader = readerOf(request);
  const scripts = [page.script, status !== 200 && FOCUS_SCRIPT];
  const script = scripts.filter(Boolean).join("\n") || undefined;
  const html = renderDocument({
    ...previewOf(request, reader.language),
    ...reader,
    ...page,
    isIndexed,
    script,
  });
  return reply
    .status(status)
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(html);
}
