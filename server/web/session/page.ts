import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { renderDocument } from "../page/document.tsx";
import { policyOf } from "../page/style.ts";
import { getVisit } from "./visit.ts";

/** A page of the application. */
export interface SignedInPage {
  title: string;
  children: ComponentChildren;
  script?: string | undefined;
  /** 200 by default; 422 for a form that was refused. */
  status?: number;
}

/** Sends a page to the person who is signed in. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, children, script, status = 200 }: SignedInPage,
): FastifyReply {
  const { email, language } = getVisit(request);
  // A form that was refused is shown at the path that it was sent to, to which nothing leads back.
  const path = request.method === "GET" ? request.url : "/projects";
  const page = renderDocument({ language, title, script, person: { email, path }, children });
  return reply
    .status(status)
    .header("content-security-policy", policyOf({ script, hasForm: true }))
    .type("text/html; charset=utf-8")
    .send(page);
}
