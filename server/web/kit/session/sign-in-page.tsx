import { say } from "../../../../shared/report/words.ts";
import type { Text } from "../../../base/language.ts";
import { Field, Notice } from "../components.tsx";
import { renderDocument, type DocumentProps, type Reader } from "../document.tsx";
import type { Filled } from "../forms.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { PASSKEY } from "./sign-in-words.ts";
import { TimeZoneField } from "./time-zone.tsx";

const WORDS = {
  title: { fr: "Se connecter", en: "Sign in" },
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  password: { fr: "Mot de passe", en: "Password" },
  forgot: { fr: "Mot de passe oublié ?", en: "Forgotten your password?" },
  signUp: { fr: "Créer un compte", en: "Create an account" },
  kept: {
    fr: "Votre session a pris fin. Connectez-vous : ce que vous avez saisi vous attend ensuite, et rien n'a été envoyé.",
    en: "Your session has ended. Sign in: what you typed is there afterwards, and nothing was sent.",
  },
};

/** The page with the form that signs in. */
export interface SignInPage {
  filled: Filled;
  /** The path to go to afterwards. */
  next?: string | undefined;
  /** What was typed into a form whose session had ended, as JSON. */
  draft?: string | undefined;
  /** Why nobody can sign in just now. */
  refusal?: Text;
  /** Whether browsers have passkeys here. */
  takesPasskeys?: boolean;
  /** Whether anyone may make an account. */
  hasSignUp?: boolean;
}

/** Writes the page; of what was typed, not the password. */
export function renderSignInPage(
  { filled, next, draft, refusal, takesPasskeys, hasSignUp }: SignInPage,
  reader: Reader & Pick<DocumentProps, "site" | "description" | "script">,
): string {
  const { language } = reader;
  const { values, problems } = filled;
  return renderDocument({
    ...reader,
    title: say(WORDS.title, language),
    hasSignIn: false,
    hasLanguages: !draft,
    children: (
      <>
        <h1>{say(WORDS.title, language)}</h1>
        {draft && (
          <Notice tone="warn">
            <p>{say(WORDS.kept, language)}</p>
          </Notice>
        )}
        {refusal !== undefined && (
          <Notice tone="bad">
            <p role="alert">{say(refusal, language)}</p>
          </Notice>
        )}
        <form method="post" action="/sign-in">
          <input type="hidden" name="next" value={next ?? ""} />
          <TimeZoneField />
          {draft && <input type="hidden" name="draft" value={draft} />}
          <Field
            name="email"
            label={say(WORDS.email, language)}
            type="email"
            autocomplete="username"
            value={values["email"]}
            isRequired
          />
          <Field
            name="password"
            label={say(WORDS.password, language)}
            type="password"
            autocomplete="current-password"
            problem={problems["password"]}
            isRequired
          />
          <button type="submit">{say(WORDS.title, language)}</button>
          {takesPasskeys && (
            <PasskeyButton
              label={PASSKEY.use}
              failed={PASSKEY.failed}
              asks="/sign-in/passkey"
              field="passkey"
              language={language}
            />
          )}
        </form>
        <p>
          <a href="/forgot">{say(WORDS.forgot, language)}</a>
        </p>
        {hasSignUp && (
          <p>
            <a href={next ? `/sign-up?next=${encodeURIComponent(next)}` : "/sign-up"}>
              {say(WORDS.signUp, language)}
            </a>
          </p>
        )}
      </>
    ),
  });
}
