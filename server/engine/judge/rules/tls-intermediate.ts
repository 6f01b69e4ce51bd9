import type { Language } from "../../../../shared/language.ts";
import { describeQuantity } from "../../../../shared/report/words.ts";
import { FULL_CHAIN, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { type Rule, cut, fail, pass, unknown, rfc } from "../rule.ts";
import { CERTIFICATES, handshakeParents } from "./tls-chain.ts";

export const intermediate: Rule = {
  id: "tls.intermediate",
  title: { fr: "Certificats intermédiaires", en: "Intermediate certificates" },
  measures: {
    fr: "Le serveur envoie les certificats intermédiaires qui relient le sien à une racine. La règle échoue si le certificat est envoyé seul et indique où trouver son émetteur (AIA) ; sinon, c'est « Chaîne de certificats » qui échoue.",
    en: "The server sends the intermediate certificates that link its own to a root. A certificate sent alone fails here if it says where to find its issuer (AIA); otherwise “Certificate chain” fails.",
  },
  why: {
    fr: "La plupart des navigateurs vont chercher eux-mêmes le certificat intermédiaire ; curl, les applications, les webhooks et les robots refusent la connexion.",
    en: "Most browsers fetch the intermediate certificate themselves; curl, apps, webhooks and crawlers refuse the connection.",
  },
  fix: FULL_CHAIN,
  standard: rfc(8446, "4.4.2"),
  capReason: {
    fr: "Il manque un certificat intermédiaire : certains clients refusent la connexion.",
    en: "An intermediate certificate is missing: some clients refuse the connection.",
  },
  parents(evidence) {
    const refused = pageHandshakes(evidence).filter(({ chainError }) => chainError !== null);
    const isCharged = refused.length > 0 && !refused.some(lacksIntermediate);
    return isCharged ? ["tls.chain"] : handshakeParents(evidence);
  },
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const tls = handshakes.find(lacksIntermediate) ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const by = cut(tls.certificate.issuer, 100);
    if (lacksIntermediate(tls))
      return fail({
        fr: `${tls.host} envoie son certificat sans le certificat intermédiaire qui l'a signé (${by}) : ${nameFault(tls)}.`,
        en: `${tls.host} sends its certificate without the intermediate certificate that signed it (${by}): ${nameFault(tls)}.`,
      });
    const count = (language: Language) => describeQuantity(tls.chainLength, CERTIFICATES, language);
    return pass({
      fr: `${tls.host} envoie une chaîne complète (${count("fr")}).`,
      en: `${tls.host} sends a complete chain (${count("en")}).`,
    });
  },
};
