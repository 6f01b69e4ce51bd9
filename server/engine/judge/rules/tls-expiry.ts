import type { Evidence } from "../../evidence/evidence.ts";
import type { Tls } from "../../evidence/exchange.ts";
import { CURRENT_INTERMEDIATE, failsOnOwnDates, fixRenewal } from "../facts/chain-faults.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { type Rule, cut, fail, partial, pass, unknown, rfc } from "../rule.ts";
import { handshakeParents, writeDay } from "./tls-chain.ts";

const DAY_MS = 86_400_000;
const LONG_NOTICE_MS = 14 * DAY_MS;

interface Term {
  readonly tls: Tls;
  /** The subject of an intermediate certificate; null for the server's own certificate. */
  readonly intermediate: string | null;
  readonly notAfter: string;
  readonly leftMs: number;
  /** 14 days, or a quarter of the lifetime if that is less. */
  readonly neededMs: number;
}

type Dates = Pick<Tls["certificate"], "notBefore" | "notAfter">;

function findNearestTerm(evidence: Evidence): Term | undefined {
  const now = Date.parse(evidence.checkedAt);
  const termOf = (tls: Tls, { notBefore, notAfter }: Dates, intermediate: string | null): Term => {
    const end = Date.parse(notAfter);
    const neededMs = Math.min(LONG_NOTICE_MS, (end - Date.parse(notBefore)) / 4);
    return { tls, intermediate, notAfter, leftMs: end - now, neededMs };
  };
  const terms = pageHandshakes(evidence).flatMap((tls) => [
    termOf(tls, tls.certificate, null),
    ...(tls.firstEnd ? [termOf(tls, tls.firstEnd, tls.firstEnd.subject)] : []),
  ]);
  return terms.toSorted(
    (one, other) => one.leftMs / one.neededMs - other.leftMs / other.neededMs,
  )[0];
}

export const expiry: Rule = {
  id: "tls.expiry",
  title: { fr: "Expiration du certificat", en: "Certificate expiry" },
  measures: {
    fr: "Le certificat est encore valide au moins 14 jours, ou un quart de sa durée de validité si c'est moins. Il en va de même des certificats intermédiaires qu'il lui faut pour remonter à une racine. La moitié de ce délai rapporte la moitié des points.",
    en: "The certificate has at least 14 days left, or a quarter of its lifetime if that is less. So do the intermediate certificates that it needs to lead to a root. Half of that time earns half the points.",
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
    fr: "Un certificat de la chaîne va bientôt expirer : les navigateurs bloqueront alors la page.",
    en: "A certificate of the chain is about to expire: browsers will then block the page.",
  },
  parents: (evidence) =>
    pageHandshakes(evidence).some((tls) => failsOnOwnDates(tls, evidence.checkedAt))
      ? ["tls.chain"]
      : handshakeParents(evidence),
  judge(evidence) {
    const term = findNearestTerm(evidence);
    if (!term)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { tls, intermediate, notAfter, leftMs, neededMs } = term;
    const days = Math.floor(leftMs / DAY_MS);
    const end = writeDay(notAfter);
    const name = cut(intermediate ?? "", 100);
    const what =
      intermediate === null
        ? { fr: "Le certificat", en: "The certificate" }
        : {
            fr: `Le certificat intermédiaire ${name}`,
            en: `The intermediate certificate ${name}`,
          };
    const found = {
      fr: `${what.fr} servi pour ${tls.host} expire le ${end.fr} (jours restants : ${days}).`,
      en: `${what.en} served for ${tls.host} expires on ${end.en} (days left: ${days}).`,
    };
    if (leftMs >= neededMs) return pass(found);
    const fix = intermediate === null ? fixRenewal(tls, evidence.page.hops) : CURRENT_INTERMEDIATE;
    return leftMs >= neededMs / 2 ? partial("soon", found, fix) : fail(found, fix);
  },
};
