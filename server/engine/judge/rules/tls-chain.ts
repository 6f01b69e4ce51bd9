import type { Evidence } from "../../evidence/evidence.ts";
import { findFault, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/page.ts";
import { type Rule, cut, fail, pass, unknown } from "../rule.ts";

/**
 * The parents of a rule that reads a TLS connection. Once there was a handshake, it does not depend on the rest of the
 * connection.
 */
export function handshakeParents(evidence: Evidence): readonly string[] {
  return [pageHandshakes(evidence).length > 0 ? "reach.dns" : "reach.connect"];
}

/** The day of an ISO date. */
export function describeDay(date: string): string {
  return date.slice(0, 10);
}

export const chain: Rule = {
  id: "tls.chain",
  title: { fr: "Certificat reconnu", en: "Trusted certificate" },
  measures: {
    fr: "La chaîne du certificat mène à une racine reconnue ; un certificat expiré, pas encore valable, signé par lui-même, d'une autorité inconnue ou à signature faible échoue.",
    en: "The certificate's chain leads to a trusted root; one that is expired, not yet valid, self-signed, from an unknown authority or weakly signed fails.",
  },
  matters: {
    fr: "Le navigateur arrête le visiteur sur un avertissement de sécurité.",
    en: "The browser stops the visitor at a security warning.",
  },
  fix: {
    fr: "Installez un certificat valable avec ses intermédiaires (fullchain.pem, et non cert.pem).",
    en: "Install a valid certificate with its intermediates (fullchain.pem, not cert.pem).",
  },
  standard: { name: "RFC 5280, 6", url: "https://www.rfc-editor.org/rfc/rfc5280#section-6" },
  capReason: {
    fr: "Le certificat n'est pas reconnu : les navigateurs refusent la page.",
    en: "The certificate is not trusted: browsers refuse the page.",
  },
  parents(evidence) {
    const refused = pageHandshakes(evidence).filter(({ chainError }) => chainError !== null);
    const isCharged = refused.length > 0 && refused.every(lacksIntermediate);
    return isCharged ? ["tls.intermediate"] : handshakeParents(evidence);
  },
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const refused = handshakes.filter(({ chainError }) => chainError !== null);
    const tls = refused.find((one) => !lacksIntermediate(one)) ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été vu.", en: "No certificate was seen." });
    const { subject, issuer, notBefore, notAfter } = tls.certificate;
    const by = cut(issuer, 100);
    const [start, end] = [describeDay(notBefore), describeDay(notAfter)];
    if (tls.chainError === null)
      return pass({
        fr: `Certificat pour ${tls.host} émis par ${by}, du ${start} au ${end}.`,
        en: `Certificate for ${tls.host} issued by ${by}, from ${start} to ${end}.`,
      });
    const { what, fix } = findFault(tls, evidence.checkedAt);
    const code = nameFault(tls);
    const who = subject === "" ? "" : ` (${cut(subject, 100)})`;
    const length = {
      fr: `chaîne de ${tls.chainLength} certificat${tls.chainLength > 1 ? "s" : ""}`,
      en: `chain of ${tls.chainLength} certificate${tls.chainLength > 1 ? "s" : ""}`,
    };
    return fail(
      {
        fr: `Le certificat présenté pour ${tls.host}${who} est refusé : ${what.fr} (${code}). Émis par ${by}, du ${start} au ${end}, ${length.fr}.`,
        en: `The certificate shown for ${tls.host}${who} is refused: ${what.en} (${code}). Issued by ${by}, from ${start} to ${end}, ${length.en}.`,
      },
      fix,
    );
  },
};
