import type { Text } from "../../../../shared/language.ts";
import { describeDay } from "../../../../shared/report/times.ts";
import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findRefusal } from "../facts/browser-refusals.ts";
import { findFault, lacksIntermediate, nameFault } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import {
  DAYS,
  type Judgement,
  type Rule,
  cut,
  fail,
  pass,
  unknown,
  rfc,
  writeText,
} from "../rule.ts";

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

const DAY_MS = 86_400_000;
/** Baseline Requirements of the CA/Browser Forum, 6.3.2. Browsers enforce the first limit. */
const MAX_DAYS = 398;
const MAX_DAYS_OF_2026 = 200;
const START_OF_2026_LIMIT = "2026-03-15T00:00:00.000Z";

function lifetimeOf({ certificate }: Tls): number {
  return (Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore)) / DAY_MS;
}

function isTooLong(tls: Tls): boolean {
  return tls.isPublic && lifetimeOf(tls) > MAX_DAYS;
}

const countDays = (tls: Tls): Text =>
  writeText((language) => describeQuantity(Math.ceil(lifetimeOf(tls)), DAYS, language));

/** The certificate is valid, but browsers do not accept it or its connection. */
function findStricter(handshakes: readonly Tls[], answer: Hop | undefined): Judgement | undefined {
  for (const tls of handshakes) {
    const refusal = findRefusal(tls, answer);
    if (refusal)
      return fail(
        {
          fr: `Chrome refuse la connexion à ${tls.host} et n'affiche pas la page : ${refusal.what.fr}.`,
          en: `Chrome refuses the connection to ${tls.host} and does not show the page: ${refusal.what.en}.`,
        },
        refusal.fix,
      );
    const days = countDays(tls);
    if (isTooLong(tls))
      return fail(
        {
          fr: `Le certificat servi pour ${tls.host} est rejeté par Chrome et Safari : il est émis pour ${days.fr}, et la limite d'une autorité publique est de ${MAX_DAYS} jours.`,
          en: `Chrome and Safari reject the certificate served for ${tls.host}: it is issued for ${days.en}, and the limit of a public authority is ${MAX_DAYS} days.`,
        },
        {
          fr: "Faites réémettre le certificat pour 200 jours au plus, ou obtenez-en un par ACME, qui se renouvelle seul (certbot).",
          en: "Have the certificate reissued for at most 200 days, or get one with ACME, which renews itself (certbot).",
        },
      );
  }
  return undefined;
}

function noteLifetime(tls: Tls): Text {
  const isNew = tls.certificate.notBefore >= START_OF_2026_LIMIT;
  const days = countDays(tls);
  if (!tls.isPublic || !isNew || lifetimeOf(tls) <= MAX_DAYS_OF_2026) return { fr: "", en: "" };
  return {
    fr: ` Il est émis pour ${days.fr} : depuis le 15 mars 2026, la limite des autorités publiques est de ${MAX_DAYS_OF_2026} jours.`,
    en: ` It is issued for ${days.en}: since 15 March 2026, the limit of public authorities is ${MAX_DAYS_OF_2026} days.`,
  };
}

export const chain: Rule = {
  id: "tls.chain",
  title: { fr: "Chaîne de certificats", en: "Certificate chain" },
  measures: {
    fr: "La chaîne du certificat remonte à une racine reconnue. La règle échoue si le certificat est expiré, pas encore valide, autosigné, signé faiblement ou émis par une autorité inconnue. Elle échoue aussi si les navigateurs n'acceptent pas sa clé, sa durée (398 jours) ou les suites du serveur.",
    en: "The certificate's chain leads to a trusted root. A certificate that is expired, not yet valid, self-signed, weakly signed or from an unknown authority fails. So does one whose key, lifetime (398 days) or server's cipher suites browsers do not accept.",
  },
  why: {
    fr: "À la place de la page, les navigateurs affichent un avertissement de sécurité ou une erreur.",
    en: "Browsers show a security warning or an error in place of the page.",
  },
  fix: {
    fr: "Installez un certificat valide avec ses certificats intermédiaires (fullchain.pem, et non cert.pem).",
    en: "Install a valid certificate with its intermediate certificates (fullchain.pem, not cert.pem).",
  },
  standard: rfc(5280, "6"),
  capReason: {
    fr: "Le certificat ou la connexion n'est pas accepté : les navigateurs bloquent la page.",
    en: "The certificate or the connection is not accepted: browsers block the page.",
  },
  parents(evidence) {
    const refused = pageHandshakes(evidence).filter(({ chainError }) => chainError !== null);
    const isCharged = refused.length > 0 && refused.every(lacksIntermediate);
    return isCharged ? ["tls.intermediate"] : handshakeParents(evidence);
  },
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const refused = handshakes.filter(({ chainError }) => chainError !== null);
    const untrusted = refused.find((one) => !lacksIntermediate(one));
    const stricter = untrusted ? undefined : findStricter(handshakes, evidence.page.hops.at(-1));
    if (stricter) return stricter;
    const tls = untrusted ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { subject, issuer, notBefore, notAfter } = tls.certificate;
    const by = cut(issuer, 100);
    const [start, end] = [writeDay(notBefore), writeDay(notAfter)];
    const note = noteLifetime(tls);
    if (tls.chainError === null)
      return pass({
        fr: `${tls.host} : certificat émis par ${by}, valide du ${start.fr} au ${end.fr}.${note.fr}`,
        en: `${tls.host}: certificate issued by ${by}, valid from ${start.en} to ${end.en}.${note.en}`,
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
