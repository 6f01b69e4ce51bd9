import { FULL_CHAIN, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/page.ts";
import { type Rule, cut, fail, pass, unknown } from "../rule.ts";
import { handshakeParents } from "./tls-chain.ts";

export const intermediate: Rule = {
  id: "tls.intermediate",
  title: { fr: "Certificats intermédiaires envoyés", en: "Intermediate certificates sent" },
  measures: {
    fr: "Le serveur envoie, avec son certificat, les intermédiaires qui le relient à une racine. Un certificat envoyé seul échoue ici quand il dit où trouver son émetteur (AIA) ; sinon, c'est « Certificat reconnu » qui échoue.",
    en: "The server sends its certificate with the intermediates that link it to a root. A certificate sent alone fails here when it says where to find its issuer (AIA); otherwise “Trusted certificate” fails.",
  },
  matters: {
    fr: "La plupart des navigateurs vont chercher l'intermédiaire eux-mêmes ; curl, les applications, les webhooks et les robots refusent la connexion.",
    en: "Most browsers fetch the intermediate by themselves; curl, apps, webhooks and crawlers refuse the connection.",
  },
  fix: FULL_CHAIN,
  standard: {
    name: "RFC 8446, 4.4.2",
    url: "https://www.rfc-editor.org/rfc/rfc8446#section-4.4.2",
  },
  capReason: {
    fr: "Il manque un certificat intermédiaire : une partie des clients refuse la connexion.",
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
      return unknown({ fr: "Aucun certificat n'a été vu.", en: "No certificate was seen." });
    const by = cut(tls.certificate.issuer, 100);
    if (lacksIntermediate(tls))
      return fail({
        fr: `${tls.host} envoie son certificat sans celui de l'autorité intermédiaire qui l'a signé (${by}) : ${nameFault(tls)}.`,
        en: `${tls.host} sends its certificate without that of the intermediate authority that signed it (${by}): ${nameFault(tls)}.`,
      });
    const { chainLength } = tls;
    return pass({
      fr: `${tls.host} : la chaîne est complète (${chainLength} certificat${chainLength > 1 ? "s" : ""}).`,
      en: `${tls.host}: the chain is complete (${chainLength} certificate${chainLength > 1 ? "s" : ""}).`,
    });
  },
};
