import type { Evidence, Tls } from "../../probe/evidence.ts";
import type { Text } from "../../language.ts";
import { pageHandshakes } from "../page.ts";
import { type Rule, cut, fail, partial, pass, text, unknown } from "../rule.ts";

/** The parents of a rule that reads a TLS connection: none once there was a handshake, whatever came after it. */
export function handshakeParents(evidence: Evidence): readonly string[] {
  return [pageHandshakes(evidence).length > 0 ? "reach.dns" : "reach.connect"];
}

const FAULTS: Readonly<Record<string, Text>> = {
  CERT_HAS_EXPIRED: text("il a expiré", "it has expired"),
  CERT_NOT_YET_VALID: text("il n'est pas encore valable", "it is not valid yet"),
  DEPTH_ZERO_SELF_SIGNED_CERT: text("il est signé par lui-même", "it is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: text("sa racine n'est pas reconnue", "its root is not trusted"),
  UNABLE_TO_GET_ISSUER_CERT: text("son émetteur est inconnu", "its issuer is unknown"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: text("son émetteur est inconnu", "its issuer is unknown"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: text(
    "il manque un certificat intermédiaire (certains navigateurs le retrouvent seuls, les autres clients non)",
    "an intermediate certificate is missing (some browsers find it by themselves, other clients do not)",
  ),
};

/** OpenSSL gives a weak digest no code of its own, so its message tells. */
export function failsOnDigest({ chainError }: Tls): boolean {
  return chainError !== null && /digest|md too weak/i.test(chainError.message);
}

function failsOnDates({ chainError }: Tls): boolean {
  return chainError !== null && /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(chainError.code);
}

function describeFault(tls: Tls): Text {
  if (failsOnDigest(tls)) return text("sa signature est trop faible", "its signature is too weak");
  const code = tls.chainError?.code ?? "";
  return FAULTS[code] ?? text("sa chaîne n'est pas reconnue", "its chain is not trusted");
}

function describeDay(date: string): string {
  return date.slice(0, 10);
}

export const chain: Rule = {
  id: "tls.chain",
  title: text("Certificat reconnu", "Trusted certificate"),
  measures: text(
    "La chaîne du certificat mène à une racine reconnue ; un certificat expiré, pas encore valable, signé par lui-même, incomplet ou à signature faible échoue.",
    "The certificate's chain leads to a trusted root; an expired, not yet valid, self-signed, incomplete or weakly signed one fails.",
  ),
  matters: text(
    "Le navigateur arrête le visiteur sur un avertissement de sécurité.",
    "The browser stops the visitor at a security warning.",
  ),
  fix: text(
    "Installez un certificat valable avec ses intermédiaires (fullchain.pem, et non cert.pem).",
    "Install a valid certificate with its intermediates (fullchain.pem, not cert.pem).",
  ),
  standard: { name: "RFC 5280, 6", url: "https://www.rfc-editor.org/rfc/rfc5280#section-6" },
  capReason: text(
    "Le certificat n'est pas reconnu : les navigateurs refusent la page.",
    "The certificate is not trusted: browsers refuse the page.",
  ),
  parents: handshakeParents,
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const tls = handshakes.find((one) => one.chainError !== null) ?? handshakes.at(-1);
    if (!tls) return unknown(text("Aucun certificat n'a été vu.", "No certificate was seen."));
    const { issuer, notBefore, notAfter } = tls.certificate;
    const by = cut(issuer.replaceAll("\n", ", "), 100);
    const [start, end] = [describeDay(notBefore), describeDay(notAfter)];
    if (tls.chainError === null)
      return pass(
        text(
          `Certificat de ${tls.host} émis par ${by}, du ${start} au ${end}.`,
          `Certificate of ${tls.host} issued by ${by}, from ${start} to ${end}.`,
        ),
      );
    const fault = describeFault(tls);
    const code = cut(tls.chainError.code, 60);
    return fail(
      text(
        `Le certificat de ${tls.host} est refusé : ${fault.fr} (${code}). Émis par ${by}, du ${start} au ${end}, chaîne de ${tls.chainLength} certificat${tls.chainLength > 1 ? "s" : ""}.`,
        `The certificate of ${tls.host} is refused: ${fault.en} (${code}). Issued by ${by}, from ${start} to ${end}, chain of ${tls.chainLength} certificate${tls.chainLength > 1 ? "s" : ""}.`,
      ),
    );
  },
};

const DAY_MS = 86_400_000;
const LONG_NOTICE_MS = 14 * DAY_MS;

interface Term {
  readonly tls: Tls;
  readonly leftMs: number;
  /** What must be left: 14 days, or a quarter of a lifetime for which that is less. */
  readonly neededMs: number;
}

function findNearestTerm(evidence: Evidence): Term | undefined {
  const now = Date.parse(evidence.checkedAt);
  const terms = pageHandshakes(evidence).map((tls) => {
    const end = Date.parse(tls.certificate.notAfter);
    const lifetimeMs = end - Date.parse(tls.certificate.notBefore);
    return { tls, leftMs: end - now, neededMs: Math.min(LONG_NOTICE_MS, lifetimeMs / 4) };
  });
  return terms.toSorted(
    (one, other) => one.leftMs / one.neededMs - other.leftMs / other.neededMs,
  )[0];
}

export const expiry: Rule = {
  id: "tls.expiry",
  title: text("Certificat loin de sa fin", "Certificate far from its end"),
  measures: text(
    "Il reste au certificat au moins 14 jours, ou un quart de sa durée si c'est moins ; la moitié de ce délai vaut la moitié des points.",
    "The certificate has at least 14 days left, or a quarter of its lifetime where that is less; half of that is worth half the points.",
  ),
  matters: text(
    "À son expiration, tous les navigateurs refuseront la page.",
    "Once it expires, every browser will refuse the page.",
  ),
  fix: text(
    "Renouvelez le certificat et automatisez-le par ACME (certbot renew, ou l'option de votre hébergeur).",
    "Renew the certificate, and automate it with ACME (certbot renew, or your host's option).",
  ),
  standard: {
    name: "RFC 5280, 4.1.2.5",
    url: "https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5",
  },
  capReason: text(
    "Le certificat arrive à sa fin : la page va devenir inaccessible.",
    "The certificate is about to end: the page will become unreachable.",
  ),
  parents: (evidence) =>
    pageHandshakes(evidence).some(failsOnDates) ? ["tls.chain"] : handshakeParents(evidence),
  judge(evidence) {
    const term = findNearestTerm(evidence);
    if (!term) return unknown(text("Aucun certificat n'a été vu.", "No certificate was seen."));
    const { tls, leftMs, neededMs } = term;
    const days = Math.floor(leftMs / DAY_MS);
    const end = describeDay(tls.certificate.notAfter);
    const seen = text(
      `Le certificat de ${tls.host} finit le ${end} : il lui reste ${days} jour${Math.abs(days) > 1 ? "s" : ""}.`,
      `The certificate of ${tls.host} ends on ${end}: ${days} day${days === 1 ? "" : "s"} left.`,
    );
    if (leftMs >= neededMs) return pass(seen);
    return leftMs >= neededMs / 2 ? partial("soon", seen) : fail(seen);
  },
};
