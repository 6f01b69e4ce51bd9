import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../deps.ts";
import { beginRead } from "../../../http/caller.ts";
import { refuseWith } from "../../../http/errors.ts";
import { withFlash, type FlashCode } from "../flash-messages.tsx";
import { fieldsOf, refuseBy, type Fields, type Refusals, type Refusal } from "../forms.ts";
import { confirmFromForm } from "./confirm.tsx";
import { formPageOf, pageOf } from "./page.ts";
import { getSignedIn, type SignedInRequest } from "./signed-in.ts";

/** `to` is by default the form's page. */
export interface Redirect {
  to?: string;
  done?: FlashCode;
}

/** A reply means that the handler has already sent it. */
export type Outcome = Refusal | FlashCode | Redirect | FastifyReply | undefined;

export interface SentForm extends SignedInRequest {
  /** The last id in the form's path. */
  id: string;
  fields: Fields;
  request: FastifyRequest;
  reply: FastifyReply;
  confirm: () => Promise<Refusal | undefined>;
}

interface FormPage<Context> {
  page: string;
  refusals?: Refusals | undefined;
  /** Checks the caller's rights before any input. The result is added to the form. */
  prepare?: (request: FastifyRequest, id: string) => Promise<Context>;
  render: (request: FastifyRequest, reply: FastifyReply, refused: Refusal) => unknown;
}

interface FormOptions {
  /** Replaces the page's refusals. */
  refusals?: Refusals;
  /** For a form without fields. The page's main form then shows the error. */
  isRefusedOnPage?: boolean;
  bodyLimit?: number;
}

export type AddForm<Context = unknown> = (
  path: string,
  act: (form: SentForm & Context) => Promise<Outcome>,
  options?: FormOptions,
) => void;

/** `act` validates the fields and calls the verb. */
export const formsOf =
  <Context = unknown>(
    door: FastifyInstance,
    deps: Deps,
    { page, refusals: pageRefusals = {}, prepare, render }: FormPage<Context>,
  ): AddForm<Context> =>
  (path, act, { refusals = pageRefusals, isRefusedOnPage = false, bodyLimit } = {}) => {
    const options = { config: { formOn: page }, ...(bodyLimit !== undefined && { bodyLimit }) };
    door.post(path, options, async (request, reply) => {
      const { id: first = "", of: id = first } = request.params as { id?: string; of?: string };
      const context = (await prepare?.(request, id)) as Context;
      const confirm = () => confirmFromForm(deps, request, reply);
      const signedIn = getSignedIn(request);
      const form = { ...signedIn, id, fields: fieldsOf(request), request, reply, confirm };
      const refuse = async (refused: Refusal, error?: AppError) => {
        refuseWith(reply, refused.status, error);
        await beginRead(deps, request, signedIn.caller);
        const isElsewhere = isRefusedOnPage && error !== undefined;
        const action = isElsewhere ? { action: pageOf(request) } : {};
        return render(request, reply, { ...refused, ...action });
      };
      let outcome: Outcome;
      try {
        outcome = await act({ ...form, ...context });
      } catch (error) {
        return refuse(refuseBy(refusals, error), error as AppError);
      }
      if (reply.sent) return reply;
      if (typeof outcome === "object" && "problems" in outcome) return refuse(outcome);
      const { to = formPageOf(request), done }: Redirect =
        typeof outcome === "string" ? { done: outcome } : (outcome ?? {});
      return reply.redirect(done === undefined ? to : withFlash(to, done), 303);
    });
  };
