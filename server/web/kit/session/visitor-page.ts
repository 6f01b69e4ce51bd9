import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { languageOf } from "../asked.ts";
import { renderDocument } from "../document.tsx";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";

/** A page that anybody may see, signed in or not. */
export interface VisitorPage {
  title: string;
  children: ComponentChildren;
  /** 200 by default; 422 for a form that was refused. */
  status?: number;
  /** True for a page that search engines may show. */
  isIndexed?: boolean;
}

/** Sends a page to somebody of whom nothing is known but the language of their browser. */
export function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, children, status = 200, isIndexed = false }: VisitorPage,
): FastifyReply {
  const language = languageOf(request);
  const script = status === 200 ? undefined : FOCUS_SCRIPT;
  const page = renderDocument({
    ...previewOf(request, language),
    language,
    title,
    isIndexed,
    script,
    children,
  });
  return reply
    .status(status)
    .headers({
      "content-security-policy": policyOf({ script, hasForm: true }),
      vary: "Accept-Language",
    })
    .type("text/html; charset=utf-8")
    .send(page);
}
