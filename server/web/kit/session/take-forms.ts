import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../deps.ts";
import { beginRead } from "../../../http/caller.ts";
import { refuseWith } from "../../../http/errors.ts";
import { withDone, type DoneCode } from "../done.tsx";
import { fieldsOf, refuseBy, type Fields, type Refusals, type Refused } from "../forms.ts";
import { findUnconfirmed } from "./confirm.tsx";
import { formPageOf } from "./page.ts";
import { getSignedIn, type SignedInRequest } from "./signed-in.ts";

/** Where a form leads once it succeeded: to its page by default. `done`: the code of the sentence that is shown there. */
export interface Lead {
  to?: string;
  done?: DoneCode;
}

/** The result of a form: what is wrong with it, where it leads, or nothing if it has answered by itself. */
export type Outcome = Refused | DoneCode | Lead | FastifyReply | undefined;

interface Answering {
  refusals: Refusals;
  /** Shows the form again. */
  show: (refused: Refused, error?: AppError) => unknown;
}

/** Answers a form by the outcome of `act`. */
export async function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<Outcome>,
  { refusals, show }: Answering,
): Promise<unknown> {
  const refuseIt = (refused: Refused, error?: AppError) => {
    refuseWith(reply, refused.status, error);
    return show(refused, error);
  };
  let outcome: Outcome;
  try {
    outcome = await act();
  } catch (error) {
    return refuseIt(refuseBy(refusals, error), error as AppError);
  }
  if (reply.sent) return reply;
  if (typeof outcome === "object" && "problems" in outcome) return refuseIt(outcome);
  const { to = formPageOf(request), done }: Lead =
    typeof outcome === "string" ? { done: outcome } : (outcome ?? {});
  return reply.redirect(done === undefined ? to : withDone(to, done), 303);
}

/** A form that somebody who is signed in sent. */
export interface SentForm extends SignedInRequest {
  /** The id in its path. */
  id: string;
  fields: Fields;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Asks who they are; what is wrong with the answer, if something is. */
  confirm: () => Promise<Refused | undefined>;
}

interface FormPage {
  /** The path of the page that the forms stand on. */
  page: string;
  refusals?: Refusals;
  show: (request: FastifyRequest, reply: FastifyReply, refused: Refused) => unknown;
}

/** Takes forms of a page of the account. */
export const takeFormsOf =
  (door: FastifyInstance, deps: Deps, { page, refusals = {}, show }: FormPage) =>
  (path: string, act: (form: SentForm) => Promise<Outcome>): void => {
    door.post(path, { config: { formOn: page } }, (request, reply) => {
      const { id = "" } = request.params as { id?: string };
      const confirm = () => findUnconfirmed(deps, request, reply);
      const sent = {
        ...getSignedIn(request),
        id,
        fields: fieldsOf(request),
        request,
        reply,
        confirm,
      };
      return answerForm(request, reply, () => act(sent), {
        refusals,
        show: async (refused) => {
          await beginRead(deps, request, sent.caller);
          return show(request, reply, refused);
        },
      });
    });
  };
