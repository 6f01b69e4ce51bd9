import { say } from "../../../shared/report/words.ts";
import type { Draft } from "../../db/drafts.ts";
import type { Language } from "../../language.ts";
import { Field } from "../page/components.tsx";
import { renderDocument } from "../page/document.tsx";
import type { Filled } from "../page/forms.ts";

const WORDS = {
  title: { fr: "Se connecter", en: "Sign in" },
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  password: { fr: "Mot de passe", en: "Password" },
  forgot: { fr: "Mot de passe oublié ?", en: "Forgotten your password?" },
};

interface SignInPageOptions {
  language: Language;
  filled: Filled;
  /** The path to go to afterwards. */
  next?: string | undefined;
  /** What was typed into a form whose session had ended. */
  draft?: Draft | undefined;
}

/** The page with the form that signs in. */
export function renderSignInPage({ language, filled, next, draft }: SignInPageOptions): string {
  const { values, problems } = filled;
  return renderDocument({
    language,
    title: say(WORDS.title, language),
    children: (
      <>
        <h1>{say(WORDS.title, language)}</h1>
        <form method="post" action="/sign-in">
          {next !== undefined && <input type="hidden" name="next" value={next} />}
          {draft !== undefined && (
            <input type="hidden" name="draft" value={JSON.stringify(draft)} />
          )}
          <Field
            name="email"
            label={say(WORDS.email, language)}
            type="email"
            autocomplete="username"
            value={values["email"]}
            problem={problems["email"]}
          />
          <Field
            name="password"
            label={say(WORDS.password, language)}
            type="password"
            autocomplete="current-password"
            problem={problems["password"]}
          />
          <button type="submit">{say(WORDS.title, language)}</button>
        </form>
        <p>
          <a href="/forgot">{say(WORDS.forgot, language)}</a>
        </p>
      </>
    ),
  });
}
