import { T } from "../reader.tsx";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import type { Text } from "../../../../shared/language.ts";
import { FlashMessage, FLASH_MESSAGES } from "../flash-messages.tsx";
import { Notice } from "../components.tsx";
import { Field, Form } from "../fields.tsx";
import type { Refusal } from "../forms.ts";
import { PasskeyButton, PASSKEY_SCRIPT, findRelyingParty } from "./passkey.tsx";
import { PASSKEY } from "./sign-in-words.ts";
import { TIME_ZONE_SCRIPT, TimeZoneField } from "./sign-in-fields.tsx";
import { sendVisitorPage } from "./page.ts";

const SIGN_IN: Text = { fr: "Se connecter", en: "Sign in" };

const WORDS = {
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  password: { fr: "Mot de passe", en: "Password" },
  forgot: { fr: "Mot de passe oublié ?", en: "Forgot your password?" },
  signUp: { fr: "Créer un compte", en: "Create an account" },
};

export interface SignInPage {
  next?: string | undefined;
  /** A form was sent in an expired session. */
  isInputLost?: boolean;
  /** A problem that belongs to no field. */
  refusal?: Text;
  refused?: Refusal;
}

interface SignInProps extends SignInPage {
  canUsePasskeys: boolean;
  hasSignUp: boolean;
}

function SignIn({ next, isInputLost, refusal, canUsePasskeys, hasSignUp }: SignInProps) {
  return (
    <>
      <h1>
        <T text={SIGN_IN} />
      </h1>
      {isInputLost && <FlashMessage said={FLASH_MESSAGES["input-lost"]} tone="warn" />}
      {refusal !== undefined && (
        <Notice tone="bad">
          <p role="alert">
            <T text={refusal} />
          </p>
        </Notice>
      )}
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next ?? ""} />
        <TimeZoneField />
        <Field name="email" label={WORDS.email} type="email" autocomplete="username" isRequired />
        <Field
          name="password"
          label={WORDS.password}
          type="password"
          autocomplete="current-password"
          isRequired
        />
        <button type="submit">
          <T text={SIGN_IN} />
        </button>
        {canUsePasskeys && (
          <PasskeyButton
            label={PASSKEY.use}
            failed={PASSKEY.failed}
            optionsPath="/sign-in/passkey"
            field="passkey"
          />
        )}
      </Form>
      <p>
        <a href="/forgot">
          <T text={WORDS.forgot} />
        </a>
      </p>
      {hasSignUp && (
        <p>
          <a href={next ? `/sign-up?next=${encodeURIComponent(next)}` : "/sign-up"}>
            <T text={WORDS.signUp} />
          </a>
        </p>
      )}
    </>
  );
}

export function sendSignInPage(
  { config }: Pick<Deps, "config">,
  request: FastifyRequest,
  reply: FastifyReply,
  page: SignInPage,
): FastifyReply {
  const canUsePasskeys = findRelyingParty(request, config) !== undefined;
  return sendVisitorPage(request, reply, {
    title: SIGN_IN,
    children: <SignIn {...page} canUsePasskeys={canUsePasskeys} hasSignUp={config.hasSignUp} />,
    script: [TIME_ZONE_SCRIPT, ...(canUsePasskeys ? [PASSKEY_SCRIPT] : [])].join("\n"),
    refused: page.refused,
    isIndexed: true,
    hasSignIn: false,
  });
}
