import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../shared/report/words.ts";
import { confirmByPassword } from "../../access/confirm.ts";
import type { Deps } from "../../deps.ts";
import { isAppError } from "../../errors.ts";
import { Field } from "../page/components.tsx";
import { fieldsOf } from "../page/forms.ts";
import { CONFIRM, tooOften } from "./sign-in-words.ts";
import { getVisit, type Visit } from "./visit.ts";

interface ConfirmFieldProps {
  visit: Visit;
  problem?: string | undefined;
  /** Where several forms of a page have the field: its id. */
  id?: string;
}

/** The field that a sensitive form asks for; nothing if the person proved who they are within 15 minutes. */
export function ConfirmField({ visit, problem, id }: ConfirmFieldProps) {
  const { isConfirmed, language } = visit;
  if (isConfirmed && problem === undefined) return null;
  return (
    <Field
      name="current_password"
      {...(id !== undefined && { id })}
      label={say(CONFIRM.label, language)}
      hint={say(CONFIRM.hint, language)}
      type="password"
      autocomplete="current-password"
      problem={problem}
    />
  );
}

/** Why a sensitive form is refused. */
export interface Unconfirmed {
  status: 422 | 429;
  /** What its field `current_password` says. */
  problem: string;
}

/**
 * Takes the field `current_password` of a sensitive form. Undefined if it is right, or if there is none and the person
 * proved who they are within 15 minutes; otherwise the form is to be shown again. Throws `busy`.
 */
export async function findUnconfirmed(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Unconfirmed | undefined> {
  const visit = getVisit(request);
  const { actor, email, language } = visit;
  const password = fieldsOf(request)["current_password"] ?? "";
  if (password === "")
    return visit.isConfirmed ? undefined : { status: 422, problem: say(CONFIRM.missing, language) };
  try {
    await confirmByPassword(deps, actor, { email, password });
    request.visit = { ...visit, isConfirmed: true };
    return undefined;
  } catch (error) {
    if (isAppError(error, "password_wrong"))
      return { status: 422, problem: say(CONFIRM.wrong, language) };
    if (!isAppError(error, "too_often")) throw error;
    const { retryAfterSeconds } = error.parameters;
    reply.header("retry-after", retryAfterSeconds);
    return { status: 429, problem: say(tooOften(retryAfterSeconds), language) };
  }
}
