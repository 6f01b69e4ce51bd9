import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { renderDocument } from "../page/document.tsx";
import { policyOf } from "../page/style.ts";
import { languageOf } from "./sign-in-answer.ts";

/** A page that anybody may see, signed in or not. */
export interface VisitorPage {
  title: string;
  children: ComponentChildren;
  /** 200 by default; 422 for a form that was refused. */
  status?: number;
}

/** Sends a page to somebody of whom nothing is known but the language of their browser. */
export function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, children, status = 200 }: VisitorPage,
): FastifyReply {
  const page = renderDocument({
    language: languageOf(request),
    title,
    isIndexed: false,
    entry: "projects",
    children,
  });
  return reply
    .status(status)
    .headers({ "content-security-policy": policyOf({ hasForm: true }), vary: "Accept-Language" })
    .type("text/html; charset=utf-8")
    .send(page);
}
