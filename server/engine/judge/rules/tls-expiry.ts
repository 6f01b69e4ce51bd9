import type { Evidence } from "../../evidence/evidence.ts";
import type { Tls } from "../../evidence/exchange.ts";
import { failsOnOwnDates, fixRenewal } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { type Rule, fail, partial, pass, unknown, rfc } from "../rule.ts";
import { handshakeParents, writeDay } from "./tls-chain.ts";

const DAY_MS = 86_400_000;
const LONG_NOTICE_MS = 14 * DAY_MS;

interface Term {
  readonly tls: Tls;
  readonly leftMs: number;
  /** 14 days, or a quarter of the lifetime if that is less. */
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
  title: { fr: "Expiration du certificat", en: "Certificate expiry" },
  measures: {
    fr: "Le certificat est encore valide au moins 14 jours, ou un quart de sa durée de validité si c'est moins. La moitié de ce délai rapporte la moitié des points.",
    en: "The certificate has at least 14 days left, or a quarter of its lifetime if that is less. Half of that time earns half the points.",
  },
  why: {
    fr: "Dès qu'il aura expiré, tous les navigateurs bloqueront la page.",
    en: "Once it has expired, every browser will block the page.",
  },
  fix: {
    fr: "Renouvelez le certificat et automatisez son renouvellement par ACME : certbot renew --cert-name NOM (certbot certificates liste les noms), ou utilisez l'option de votre hébergeur.",
    en: "Renew the certificate and automate its renewal with ACME: certbot renew --cert-name NAME (certbot certificates lists the names), or use your hosting provider's option.",
  },
  standard: rfc(5280, "4.1.2.5"),
  capReason: {
    fr: "Le certificat va bientôt expirer : les navigateurs bloqueront alors la page.",
    en: "The certificate is about to expire: browsers will then block the page.",
  },
  parents: (evidence) =>
    pageHandshakes(evidence).some((tls) => failsOnOwnDates(tls, evidence.checkedAt))
      ? ["tls.chain"]
      : handshakeParents(evidence),
  judge(evidence) {
    const term = findNearestTerm(evidence);
    if (!term)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { tls, leftMs, neededMs } = term;
    const days = Math.floor(leftMs / DAY_MS);
    const end = writeDay(tls.certificate.notAfter);
    const found = {
      fr: `Le certificat servi pour ${tls.host} expire le ${end.fr} (jours restants : ${days}).`,
      en: `The certificate served for ${tls.host} expires on ${end.en} (days left: ${days}).`,
    };
    if (leftMs >= neededMs) return pass(found);
    const fix = fixRenewal(tls, evidence.page.hops);
    return leftMs >= neededMs / 2 ? partial("soon", found, fix) : fail(found, fix);
  },
};
