import type { Text } from "../../../../shared/language.ts";
import { describeDay } from "../../../../shared/report/times.ts";
import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findFault, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { type Rule, cut, fail, pass, unknown, rfc, writeText } from "../rule.ts";

/** These rules need one handshake. They do not depend on the rest of the connection. */
export function handshakeParents(evidence: Evidence): readonly string[] {
  return [pageHandshakes(evidence).length > 0 ? "reach.dns" : "reach.connect"];
}

export const writeDay = (date: string): Text =>
  writeText((language) => describeDay(new Date(date), { language }));

export const CERTIFICATES: Noun = {
  fr: ["certificat", "certificats"],
  en: ["certificate", "certificates"],
};

export const chain: Rule = {
  id: "tls.chain",
  title: { fr: "Chaîne de certificats", en: "Certificate chain" },
  measures: {
    fr: "La chaîne du certificat remonte à une racine reconnue. La règle échoue si le certificat est expiré, pas encore valide, autosigné, signé faiblement ou émis par une autorité inconnue.",
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
    const [start, end] = [writeDay(notBefore), writeDay(notAfter)];
    if (tls.chainError === null)
      return pass({
        fr: `${tls.host} : certificat émis par ${by}, valide du ${start.fr} au ${end.fr}.`,
        en: `${tls.host}: certificate issued by ${by}, valid from ${start.en} to ${end.en}.`,
      });
    const { what, fix } = findFault(tls, evidence.checkedAt, evidence.page.hops);
    const code = nameFault(tls);
    const who = subject === "" ? "" : ` (${cut(subject, 100)})`;
    const length = writeText((language) =>
      describeQuantity(tls.chainLength, CERTIFICATES, language),
    );
    return fail(
      {
        fr: `Le certificat servi pour ${tls.host}${who} est rejeté : ${what.fr} (${code}). Émis par ${by}, valide du ${start.fr} au ${end.fr} ; chaîne de ${length.fr}.`,
        en: `The certificate served for ${tls.host}${who} is rejected: ${what.en} (${code}). Issued by ${by}, valid from ${start.en} to ${end.en}; chain of ${length.en}.`,
      },
      fix,
    );
  },
};
