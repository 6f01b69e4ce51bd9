import { say } from "../../../../shared/report/words.ts";
import type { PasskeySummary } from "../../../db/accounts/passkeys.ts";
import type { ApiSettings } from "../../../db/accounts/tokens.ts";
import { Section } from "../../kit/layout.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { PasskeyList } from "./passkeys-page.tsx";
import { ActiveTokens } from "./token-tables.tsx";

const WORDS = {
  title: { fr: "Vos jetons et vos clés d'accès", en: "Your tokens and passkeys" },
  lead: {
    fr: "Ils fonctionnent encore. Si quelqu'un a pu connaître votre ancien mot de passe, révoquez ceux que vous ne reconnaissez pas.",
    en: "They still work. If somebody may have known your former password, revoke those that you do not recognise.",
  },
};

export interface AfterPasswordProps {
  settings: ApiSettings;
  passkeys: readonly PasskeySummary[];
  signedIn: SignedInRequest;
}

/** What still opens the account once its password is another: each with its last use, and the way to revoke it. */
export function AfterPassword({ settings, passkeys, signedIn }: AfterPasswordProps) {
  if (settings.active.length + passkeys.length === 0) return null;
  return (
    <Section id="tokens" title={say(WORDS.title, signedIn.language)}>
      <p>{say(WORDS.lead, signedIn.language)}</p>
      {settings.active.length > 0 && <ActiveTokens settings={settings} reader={signedIn} />}
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} signedIn={signedIn} />}
    </Section>
  );
}
