import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";
import { CodeField } from "../../kit/session/code-field.tsx";
import { PASSKEY } from "../../kit/session/sign-in-words.ts";
import { TIME_ZONE_SCRIPT, TimeZoneField } from "../../kit/session/time-zone.tsx";
import type { VisitorPage } from "../../kit/session/visitor-page.ts";

export const HALF_PATH = "/sign-in/code";

export const HALF_WORDS = {
  title: { fr: "Saisir le code", en: "Type the code" },
  button: { fr: "Se connecter", en: "Sign in" },
  lost: {
    fr: "Ni téléphone, ni code de récupération ? L'exploitant de ce serveur peut désactiver votre second facteur.",
    en: "Neither phone nor recovery code? The operator of this server can switch your second factor off.",
  },
  over: {
    fr: "Cette connexion a pris fin : le code se saisit dans les 10 minutes, dans le même navigateur. Connectez-vous à nouveau.",
    en: "This sign-in is over: the code has to be typed within 10 minutes, in the same browser. Sign in again.",
  },
  passkeyOnly: {
    fr: "Ce serveur demande votre clé d'accès. Si vous l'avez perdue, son exploitant peut la retirer.",
    en: "This server asks for your passkey. If you have lost it, its operator can remove it.",
  },
} satisfies Record<string, Text>;

interface HalfPageProps {
  email: string;
  hasPasskeys: boolean;
  next: string;
  problem: string | undefined;
}

const signInPath = (next: string) => `/sign-in?next=${encodeURIComponent(next)}`;

const UsePasskey = ({ next, language }: { next: string; language: Language }) => (
  <p>
    <a href={signInPath(next)}>{say(PASSKEY.use, language)}</a>
  </p>
);

/** What asks for the code after a right password. */
export function createHalfPage(
  { email, hasPasskeys, next, problem }: HalfPageProps,
  language: Language,
): VisitorPage {
  const title = say(HALF_WORDS.title, language);
  return {
    title,
    script: TIME_ZONE_SCRIPT,
    children: (
      <>
        <h1>{title}</h1>
        <form method="post" action={HALF_PATH}>
          <input type="hidden" name="email" value={email} />
          <input type="hidden" name="next" value={next} />
          <TimeZoneField />
          <CodeField problem={problem} language={language} isRequired />
          <button type="submit">{say(HALF_WORDS.button, language)}</button>
        </form>
        {hasPasskeys && <UsePasskey next={next} language={language} />}
        <p class="soft">{say(HALF_WORDS.lost, language)}</p>
      </>
    ),
  };
}

/** What stands in its place for an account that signs in by passkey alone. */
export function createPasskeyOnlyPage(language: Language, next = "/projects"): VisitorPage {
  return {
    title: say(PASSKEY.use, language),
    children: (
      <>
        <h1>{say(PASSKEY.use, language)}</h1>
        <p class="lead">{say(HALF_WORDS.passkeyOnly, language)}</p>
        <UsePasskey next={next} language={language} />
      </>
    ),
  };
}
