import { T } from "../reader.tsx";
import type { FastifyReply, FastifyRequest } from "fastify";
import { confirmByPassword } from "../../../access/confirm.ts";
import { confirmByPasskey } from "../../../access/passkeys.ts";
import { fingerprintOfSession } from "../../../access/sessions.ts";
import { callerOfSession } from "../../../db/accounts/callers.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import { refuseWith } from "../../../http/errors.ts";
import { describeWait } from "../time.tsx";
import { Field, Form, useFormInput } from "../fields.tsx";
import { fieldsOf, refuse, type Refusal } from "../forms.ts";
import { CodeField } from "./sign-in-fields.tsx";
import { setSessionCookie } from "./cookie.ts";
import { PasskeyButton, findRelyingParty } from "./passkey.tsx";
import { CODE, CONFIRM, PASSKEY } from "./sign-in-words.ts";
import { getSignedIn, type SignedInRequest } from "./signed-in.ts";

interface ConfirmFieldProps {
  signedIn: SignedInRequest;
  id?: string;
  /** Asks even within 15 minutes of the last confirmation. */
  isAlways?: boolean;
}

/** Renders nothing within 15 minutes of the last confirmation. */
export function ConfirmField({ signedIn, id, isAlways = false }: ConfirmFieldProps) {
  const { isConfirmed, hasPassword, hasPasskeys, hasSecondFactor } = signedIn;
  const isWrong = useFormInput().problems["current_password"] !== undefined;
  if (isConfirmed && !isAlways && !isWrong) return null;
  return (
    <>
      <Field
        name="current_password"
        id={id}
        label={CONFIRM.label}
        hint={isAlways ? undefined : hasPassword ? CONFIRM.hint : CONFIRM.withoutPassword}
        type="password"
        autocomplete="current-password"
      />
      {hasSecondFactor && <CodeField id={id && `${id}-code`} />}
      {hasPasskeys && (
        <PasskeyButton
          label={PASSKEY.use}
          failed={PASSKEY.failed}
          optionsPath="/settings/account/passkeys/challenge"
          field="passkey"
        />
      )}
    </>
  );
}

interface ConfirmFormProps extends ConfirmFieldProps {
  action: string;
  why: Text;
}

/** For a page whose sensitive forms have no room for the field. */
export function ConfirmForm({ action, why, ...field }: ConfirmFormProps) {
  return (
    <Form action={action}>
      <p>
        <T text={why} />
      </p>
      <ConfirmField {...field} />
      <button type="submit">
        <T text={CONFIRM.button} />
      </button>
    </Form>
  );
}

/** Returns the session's new secret. */
async function confirm(deps: Deps, request: FastifyRequest): Promise<string> {
  const { actor, email } = getSignedIn(request);
  const { passkey = "", current_password: password = "", code } = fieldsOf(request);
  if (passkey === "") return confirmByPassword(deps, actor, { email, password, code });
  const party = findRelyingParty(request, deps.config);
  if (party === undefined) throw new AppError("passkey_refused", {});
  return confirmByPasskey(deps, actor, party, passkey);
}

/**
 * Reads `current_password` with `code`, or `passkey`. If they are right, the browser gets a new session secret. Without
 * input, the last confirmation counts for 15 minutes.
 * @throws AppError `busy`
 */
export async function confirmFromForm(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Refusal | undefined> {
  const signedIn = getSignedIn(request);
  const { passkey = "", current_password: password = "" } = fieldsOf(request);
  const refuseWhy = (problem: Text, status = 422) => refuse({ current_password: problem }, status);
  if (password === "" && passkey === "")
    return signedIn.isConfirmed ? undefined : refuseWhy(CONFIRM.missing);
  try {
    const secret = await confirm(deps, request);
    const caller = callerOfSession(fingerprintOfSession(secret));
    request.signedIn = { ...signedIn, caller, isConfirmed: true };
    setSessionCookie(reply, deps.config, secret);
    return undefined;
  } catch (error) {
    if (isAppError(error, "password_wrong")) return refuseWhy(CONFIRM.wrong);
    if (isAppError(error, "sign_in_code_wrong")) return refuseWhy(CODE.wrongHere);
    if (isAppError(error, "passkey_refused")) return refuseWhy(PASSKEY.refused);
    if (!isAppError(error, "too_often")) throw error;
    refuseWith(reply, 429, error);
    return refuseWhy(describeWait(error.parameters.retryAfterSeconds), 429);
  }
}
