import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, isAppError, type ErrorCode } from "../../../base/errors.ts";
import type { Language } from "../../../../shared/language.ts";
import type { Deps } from "../../../deps.ts";
import type { Refusal } from "../forms.ts";
import { Question, type QuestionProps } from "../layout.tsx";
import { ConfirmField } from "./confirm.tsx";
import { sendPage } from "./page.ts";
import { getSignedIn } from "./signed-in.ts";
import { formsOf, type Outcome, type Redirect, type SentForm } from "./form-handlers.ts";

interface ConfirmedAction<Found> {
  path: string;
  /** Checks the caller's rights too. */
  find: (request: FastifyRequest) => Promise<Found>;
  ask: (found: Found) => Omit<QuestionProps, "action" | "title">;
  /** The form also needs a confirmation by password or passkey. */
  isSensitive?: boolean;
  act: (found: Found, form: SentForm) => Promise<Outcome | void>;
  redirect: (request: FastifyRequest) => Redirect;
  /** The error of `find` and `act` for an item that a first click has already removed. */
  gone?: ErrorCode;
}

export function addConfirmation<Found>(
  door: FastifyInstance,
  deps: Deps,
  { path, find, ask, isSensitive = false, act, redirect, gone }: ConfirmedAction<Found>,
): void {
  async function send(request: FastifyRequest, reply: FastifyReply, refused?: Refusal) {
    const { children, ...question } = ask(await find(request));
    const { button, name } = question;
    const nameIn = (language: Language) => (typeof name === "string" ? name : name[language]);
    const title = { fr: `${button.fr} ${nameIn("fr")} ?`, en: `${button.en} ${nameIn("en")}?` };
    return sendPage(request, reply, {
      title,
      refused,
      children: (
        <Question {...question} title={title} action={request.url}>
          {children}
          {isSensitive && <ConfirmField signedIn={getSignedIn(request)} />}
        </Question>
      ),
    });
  }

  door.get(path, async (request, reply) => {
    try {
      return await send(request, reply);
    } catch (error) {
      throw gone && isAppError(error, gone) ? new AppError("route_not_found", {}) : error;
    }
  });

  formsOf(door, deps, { page: path, render: send })(path, async (form) => {
    const { request } = form;
    try {
      const found = await find(request);
      const outcome = await act(found, form);
      return outcome ?? redirect(request);
    } catch (error) {
      if (gone && isAppError(error, gone)) return redirect(request);
      throw error;
    }
  });
}
