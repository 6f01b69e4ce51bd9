import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../deps.ts";
import { beginRead } from "../../../http/caller.ts";
import { refuseWith } from "../../../http/errors.ts";
import { fieldsOf, refuseBy, type Fields, type Refusals, type Refused } from "../forms.ts";
import { findUnconfirmed } from "./confirm.tsx";
import { getSignedIn, type SignedInRequest } from "./signed-in.ts";

const isRefused = (answer: unknown): answer is Refused =>
  typeof answer === "object" && answer !== null && "problems" in answer;

interface Answering {
  refusals: Refusals;
  /** Shows the form again. */
  show: (refused: Refused, error?: AppError) => unknown;
  /** Leads on from a form that did what it says, and has not answered yet. */
  lead: () => unknown;
}

/** Does what a form says: `act` returns what is wrong with it, if something is. */
export async function answerForm(
  reply: FastifyReply,
  act: () => Promise<unknown>,
  { refusals, show, lead }: Answering,
): Promise<unknown> {
  const refuseIt = (refused: Refused, error?: AppError) => {
    refuseWith(reply, refused.status, error);
    return show(refused, error);
  };
  let answer: unknown;
  try {
    answer = await act();
  } catch (error) {
    return refuseIt(refuseBy(refusals, error), error as AppError);
  }
  if (reply.sent) return reply;
  return isRefused(answer) ? refuseIt(answer) : lead();
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

/** Takes forms of a page of the account, each of which leads on to a path. */
export const takeFormsOf =
  (door: FastifyInstance, deps: Deps, { page, refusals = {}, show }: FormPage) =>
  (path: string, to: string, act: (form: SentForm) => Promise<unknown>): void => {
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
      return answerForm(reply, () => act(sent), {
        refusals,
        show: async (refused) => {
          await beginRead(deps, request, sent.caller);
          return show(request, reply, refused);
        },
        lead: () => reply.redirect(to, 303),
      });
    });
  };
