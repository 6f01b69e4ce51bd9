import type { Evidence } from "../../evidence/evidence.ts";
import { findFault, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { type Rule, cut, fail, pass, unknown, rfc } from "../rule.ts";

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
  title: { fr: "Chaîne de certificats", en: "Certificate chain" },
  measures: {
    fr: "La chaîne du certificat mène à une racine reconnue. Un certificat expiré, pas encore valide, autosigné, à signature faible ou d'une autorité inconnue échoue.",
    en: "The certificate's chain leads to a trusted root. A certificate that is expired, not yet valid, self-signed, weakly signed or from an unknown authority fails.",
  },
  why: {
    fr: "À la place de la page, les navigateurs affichent un avertissement de sécurité.",
    en: "Browsers show a security warning in place of the page.",
  },
  fix: {
    fr: "Installez un certificat valide avec ses certificats intermédiaires (fullchain.pem, et non cert.pem).",
    en: "Install a valid certificate with its intermediate certificates (fullchain.pem, not cert.pem).",
  },
  standard: rfc(5280, "6"),
  capReason: {
    fr: "Le certificat n'est pas reconnu : les navigateurs bloquent la page.",
    en: "The certificate is not trusted: browsers block the page.",
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
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { subject, issuer, notBefore, notAfter } = tls.certificate;
    const by = cut(issuer, 100);
    const [start, end] = [describeDay(notBefore), describeDay(notAfter)];
    if (tls.chainError === null)
      return pass({
        fr: `${tls.host} : certificat émis par ${by}, valide du ${start} au ${end}.`,
        en: `${tls.host}: certificate issued by ${by}, valid from ${start} to ${end}.`,
      });
    const { what, fix } = findFault(tls, evidence.checkedAt, evidence.page.hops);
    const code = nameFault(tls);
    const who = subject === "" ? "" : ` (${cut(subject, 100)})`;
    const length = {
      fr: `chaîne de ${tls.chainLength} certificat${tls.chainLength > 1 ? "s" : ""}`,
      en: `chain of ${tls.chainLength} certificate${tls.chainLength > 1 ? "s" : ""}`,
    };
    return fail(
      {
        fr: `Le certificat servi pour ${tls.host}${who} est rejeté : ${what.fr} (${code}). Émis par ${by}, valide du ${start} au ${end} ; ${length.fr}.`,
        en: `The certificate served for ${tls.host}${who} is rejected: ${what.en} (${code}). Issued by ${by}, valid from ${start} to ${end}; ${length.en}.`,
      },
      fix,
    );
  },
};
