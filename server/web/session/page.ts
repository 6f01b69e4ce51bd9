import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { renderDocument } from "../page/document.tsx";
import { policyOf } from "../page/style.ts";
import { readerOf } from "./visit.ts";

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
  const reader = readerOf(request);
  const page = renderDocument({ ...reader, title, script, children });
  return reply
    .status(status)
    .header("content-security-policy", policyOf({ script, hasForm: true }))
    .type("text/html; charset=utf-8")
    .send(page);
}
