import type { Text } from "../../../base/language.ts";
import { Form } from "../../kit/form.tsx";
import { useSay } from "../../kit/reader.tsx";
import { CodeField } from "../../kit/session/code-field.tsx";
import { PASSKEY } from "../../kit/session/sign-in-words.ts";
import { TimeZoneField } from "../../kit/session/time-zone.tsx";

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
}

function UsePasskey({ next }: { next: string }) {
  const say = useSay();
  return (
    <p>
      <a href={`/sign-in?next=${encodeURIComponent(next)}`}>{say(PASSKEY.use)}</a>
    </p>
  );
}

/** What asks for the code after a right password. */
export function HalfPage({ email, hasPasskeys, next }: HalfPageProps) {
  const say = useSay();
  return (
    <>
      <h1>{say(HALF_WORDS.title)}</h1>
      <Form action={HALF_PATH}>
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={next} />
        <TimeZoneField />
        <CodeField isRequired />
        <button type="submit">{say(HALF_WORDS.button)}</button>
      </Form>
      {hasPasskeys && <UsePasskey next={next} />}
      <p class="soft">{say(HALF_WORDS.lost)}</p>
    </>
  );
}

/** What stands in its place for an account that signs in by passkey alone. */
export function PasskeyOnlyPage({ next }: { next: string }) {
  const say = useSay();
  return (
    <>
      <h1>{say(PASSKEY.use)}</h1>
      <p class="lead">{say(HALF_WORDS.passkeyOnly)}</p>
      <UsePasskey next={next} />
    </>
  );
}
