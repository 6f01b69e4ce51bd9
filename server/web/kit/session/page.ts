import type { FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { parameterOf } from "../asked.ts";
import { NOTHING_TYPED, typedInto, type Refused, type Typed } from "../forms.ts";
import type { Wording } from "../reader.tsx";
import { renderDocument } from "../document.tsx";
import { previewOf } from "../site.ts";
import { FOCUS_SCRIPT } from "../problems.tsx";
import { policyOf } from "../style.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { readerOf } from "./reader.ts";

/** A page of the application. */
export interface SignedInPage {
  title: Wording;
  children: ComponentChildren;
  script?: string | undefined;
  /** The address that a browser without script opens every few seconds. */
  refresh?: string | undefined;
  /** The form of it that was refused. */
  refused?: Refused | undefined;
  /** 200 by default, or else as the form was refused. */
  status?: number;
}

/** With that of passkeys, where a sensitive form may ask for one, and that of what a form did, or did not. */
function scriptFor(request: FastifyRequest, own: string | undefined) {
  const { signedIn, method } = request;
  const mayAsk = signedIn?.hasPasskeys && !signedIn.isConfirmed;
  const isAnswer =
    method === "POST" ||
    (parameterOf(request, "did") ?? parameterOf(request, "done")) !== undefined;
  const scripts = [own, mayAsk && PASSKEY_SCRIPT, isAnswer && FOCUS_SCRIPT];
  return scripts.filter(Boolean).join("\n") || undefined;
}

/** What the forms of a page show: what was refused, or was typed before an earlier session ended. */
function typedOf(request: FastifyRequest, refused: Refused | undefined): Typed {
  const { draft } = request.signedIn ?? {};
  if (refused) return typedInto(request, refused);
  return draft ? { action: draft.action, values: draft.fields, problems: {} } : NOTHING_TYPED;
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
    typed: typedOf(request, refused),
    ...preview,
    ...page,
    isWide: true,
    title,
    script,
    children,
  });
  return reply
    .status(status)
    .header("content-security-policy", policyOf(script))
    .type("text/html; charset=utf-8")
    .send(html);
}
