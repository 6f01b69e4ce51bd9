import { useSay } from "../../kit/reader.tsx";
import type { PasskeySummary } from "../../../db/accounts/passkeys.ts";
import type { ApiSettings } from "../../../db/accounts/tokens.ts";
import { Section } from "../../kit/layout.tsx";
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
}

/** What still opens the account once its password is another: each with its last use, and the way to revoke it. */
export function AfterPassword({ settings, passkeys }: AfterPasswordProps) {
  const say = useSay();
  if (settings.active.length + passkeys.length === 0) return null;
  return (
    <Section id="tokens" title={WORDS.title}>
      <p>{say(WORDS.lead)}</p>
      {settings.active.length > 0 && <ActiveTokens settings={settings} />}
      {passkeys.length > 0 && <PasskeyList passkeys={passkeys} />}
    </Section>
  );
}
