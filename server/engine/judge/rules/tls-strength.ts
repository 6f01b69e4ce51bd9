import type { Language, Text } from "../../../../shared/language.ts";
import { POST_QUANTUM } from "../../evidence/browser-offer.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { fixSuites, NEW_KEY } from "../facts/browser-refusals.ts";
import { failsOnDigest, failsOnKey } from "../facts/chain-faults.ts";
import { lacksStaple, pageHandshakes } from "../../evidence/accessors.ts";
import {
  type Fix,
  type Rule,
  cut,
  fail,
  followFix,
  partial,
  pass,
  unknown,
  unknownAtWorst,
  rfc,
} from "../rule.ts";
import { findPlatform } from "../facts/platforms.ts";
import { TLS_DIRECTIVES, withDirectives } from "../facts/web-server.ts";
import { handshakeParents } from "./tls-chain.ts";

const MODERN = ["TLSv1.2", "TLSv1.3"];

/** OpenSSL calls TLS 1.0 `TLSv1`. */
function nameVersion(protocol: string): string {
  return protocol === "TLSv1" ? "TLS 1.0" : protocol.replace("TLSv", "TLS ");
}

function listOffers({ dns, legacyTls, lastHost, page }: Evidence) {
  const first = { ...legacyTls, host: dns.host };
  const host = page.tls?.host ?? "";
  return lastHost ? [first, { ...lastHost.legacyTls, host }] : [first];
}

function findOldOffer(evidence: Evidence) {
  return listOffers(evidence).find(({ outcome }) => outcome === "accepted");
}

/** The fix blocks no browser: all support TLS 1.2, and none supports 1.0 or 1.1 (RFC 8996, 2). */
function fixVersions(answer?: Hop): Fix {
  return (
    findPlatform(answer?.headers)?.tls ??
    withDirectives(
      { fr: "N'autorisez que TLS 1.2 et 1.3", en: "Allow TLS 1.2 and 1.3 only" },
      TLS_DIRECTIVES,
      answer,
    )
  );
}

export const versions: Rule = {
  id: "tls.versions",
  title: { fr: "Versions de TLS", en: "TLS versions" },
  measures: {
    fr: "L'hôte demandé, et l'hôte final de ses redirections, négocient TLS 1.2 ou 1.3 et refusent TLS 1.0 et 1.1.",
    en: "The requested host, and the final host of its redirects, negotiate TLS 1.2 or 1.3 and refuse TLS 1.0 and 1.1.",
  },
  why: {
    fr: "TLS 1.0 et 1.1 sont obsolètes : les connexions qui les utilisent peuvent être attaquées.",
    en: "TLS 1.0 and 1.1 are deprecated: connections that use them can be attacked.",
  },
  fix: fixVersions(),
  standard: rfc(8996),
  parents: (evidence) => (findOldOffer(evidence) ? ["reach.dns"] : handshakeParents(evidence)),
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const used = handshakes.find((one) => !MODERN.includes(one.protocol)) ?? handshakes.at(-1);
    const offer = findOldOffer(evidence);
    const old = offer?.protocol ? nameVersion(offer.protocol) : "TLS 1.0 / 1.1";
    if (!used && offer)
      return fail(
        {
          fr: `Le serveur n'accepte rien de plus récent que ${old}.`,
          en: `The server accepts nothing newer than ${old}.`,
        },
        fixVersions(evidence.page.hops.at(-1)),
      );
    if (!used)
      return unknown({
        fr: "Aucune version de TLS n'a été négociée.",
        en: "No TLS version was negotiated.",
      });
    if (!MODERN.includes(used.protocol))
      return fail(
        {
          fr: `${used.host} négocie ${nameVersion(used.protocol)}.`,
          en: `${used.host} negotiates ${nameVersion(used.protocol)}.`,
        },
        fixVersions(evidence.page.hops.at(-1)),
      );
    if (offer)
      return partial(
        "legacy",
        {
          fr: `${used.host} négocie ${nameVersion(used.protocol)}, mais ${offer.host} accepte encore ${old}.`,
          en: `${used.host} negotiates ${nameVersion(used.protocol)}, but ${offer.host} still accepts ${old}.`,
        },
        fixVersions(evidence.page.hops.at(-1)),
      );
    if (listOffers(evidence).every(({ outcome }) => outcome === "refused"))
      return pass({
        fr: `Le serveur négocie ${nameVersion(used.protocol)} et refuse TLS 1.0 et 1.1.`,
        en: `The server negotiates ${nameVersion(used.protocol)} and refuses TLS 1.0 and 1.1.`,
      });
    return unknownAtWorst(
      { grade: "legacy" },
      {
        fr: `Le serveur négocie ${nameVersion(used.protocol)} ; le test de TLS 1.0 et 1.1 n'a pas obtenu de réponse claire.`,
        en: `The server negotiates ${nameVersion(used.protocol)}; an attempt with TLS 1.0 and 1.1 got no clear response.`,
      },
    );
  },
};

const MIN_RSA_BITS = 2048;
const MIN_EC_BITS = 256;

function keyBits({ keyBits: bits, curve }: Tls["certificate"]): number {
  return bits ?? Number(/\d{3}/.exec(curve ?? "")?.[0] ?? 0);
}

function hasStrongKey({ certificate }: Tls): boolean {
  if (/^ed(25519|448)$/i.test(certificate.keyType)) return true;
  const isRsa = /rsa/i.test(certificate.keyType);
  return keyBits(certificate) >= (isRsa ? MIN_RSA_BITS : MIN_EC_BITS);
}

function hasWeakDigest({ certificate }: Tls): boolean {
  return /sha-?1(?!\d)|md[25]/i.test(certificate.signatureAlgorithm);
}

const MIN_DH_BITS = 2048;

/** Whether the exchange is ephemeral, over a curve or over a finite field of at least 2048 bits (RFC 9325, 4.3). */
function hasStrongExchange({ keyExchange }: Tls): boolean {
  if (!keyExchange) return false;
  return keyExchange.type !== "DH" || (keyExchange.bits ?? 0) >= MIN_DH_BITS;
}

/** A fault that costs half of the points. `found` is a sentence. */
interface HalfFault {
  readonly grade: string;
  readonly found: Text;
  readonly fix: Fix;
}

/** OpenSSL has had it since 2010. */
const SAFE_RENEGOTIATION = {
  fr: "Mettez à jour le logiciel TLS du serveur ou de son répartiteur de charge, car il lui manque la renégociation sécurisée (RFC 5746).",
  en: "Update the TLS software of the server or of its load balancer, because it lacks secure renegotiation (RFC 5746).",
};
const STAPLING = {
  fr: "Faites réémettre le certificat sans Must-Staple, ou activez l'agrafage OCSP",
  en: "Have the certificate reissued without Must-Staple, or turn on OCSP stapling",
};

function listHalfFaults(tls: Tls, answer?: Hop): HalfFault[] {
  const faults: (HalfFault | false)[] = [
    !hasStrongExchange(tls) && {
      grade: "static_exchange",
      found: {
        fr: "L'échange de clés est trop faible.",
        en: "The key exchange is too weak.",
      },
      fix: fixSuites(answer),
    },
    !tls.isRenegotiationSecure && {
      grade: "renegotiation",
      found: {
        fr: "Le serveur n'a pas la renégociation sécurisée (RFC 5746), sans laquelle curl et d'autres clients refusent la connexion.",
        en: "The server lacks secure renegotiation (RFC 5746), without which curl and other clients refuse the connection.",
      },
      fix: SAFE_RENEGOTIATION,
    },
    lacksStaple(tls) && {
      grade: "staple",
      found: {
        fr: "Le certificat exige une réponse OCSP (Must-Staple) que le serveur n'a pas envoyée, même deux secondes plus tard : Firefox peut refuser la page.",
        en: "The certificate requires an OCSP response (Must-Staple) that the server did not send, even two seconds later: Firefox may refuse the page.",
      },
      fix: withDirectives(STAPLING, { nginx: "ssl_stapling on;" }, answer),
    },
  ];
  return faults.filter((fault) => fault !== false);
}

function isStrong(tls: Tls): boolean {
  return hasStrongKey(tls) && !hasWeakDigest(tls) && listHalfFaults(tls).length === 0;
}

/** Ignores faults for which the rule on the chain already fails. */
function isCertificateWeak(tls: Tls): boolean {
  return (!hasStrongKey(tls) && !failsOnKey(tls)) || (hasWeakDigest(tls) && !failsOnDigest(tls));
}

function describeExchange({ keyExchange }: Tls): Text {
  if (!keyExchange) return { fr: "RSA statique", en: "static RSA" };
  const { type, name, bits } = keyExchange;
  if (type === "unknown") return { fr: "éphémère", en: "ephemeral" };
  const shown = cut(type === "TLSGroup" ? (name ?? type) : `${type} ${name ?? bits ?? ""}`, 60);
  return { fr: shown, en: shown };
}

function describePostQuantum({ offersPostQuantum, keyExchange }: Tls): Text {
  if (!offersPostQuantum) return { fr: "", en: "" };
  const isChosen = keyExchange?.name === POST_QUANTUM || keyExchange?.type === "TLSGroup";
  return isChosen
    ? {
        fr: " Cet échange de clés résiste aux ordinateurs quantiques.",
        en: " This key exchange resists quantum computers.",
      }
    : {
        fr: ` Le serveur n'a pas choisi ${POST_QUANTUM}, qui résisterait aux ordinateurs quantiques.`,
        en: ` The server did not choose ${POST_QUANTUM}, which would resist quantum computers.`,
      };
}

export const strength: Rule = {
  id: "tls.strength",
  title: { fr: "Clé et échange de clés", en: "Key and key exchange" },
  measures: {
    fr: "Une clé RSA d'au moins 2 048 bits ou EC d'au moins 256 bits, un échange de clés éphémère et pas de signature SHA-1. Un échange RSA statique, ou DH de moins de 2 048 bits, rapporte la moitié des points. Il en va de même sans renégociation sécurisée (RFC 5746), ou sans la réponse OCSP qu'exige un certificat Must-Staple.",
    en: "An RSA key of at least 2,048 bits or an EC key of at least 256 bits, an ephemeral key exchange and no SHA-1 signature. A static RSA exchange, or DH of less than 2,048 bits, earns half the points. So does a server without secure renegotiation (RFC 5746), or without the OCSP response that a Must-Staple certificate requires.",
  },
  why: {
    fr: "Le trafic enregistré aujourd'hui pourrait être déchiffré plus tard, ou l'identité du serveur usurpée.",
    en: "Traffic recorded today could be decrypted later, or the server impersonated.",
  },
  fix: NEW_KEY,
  standard: rfc(9325, "4"),
  parents(evidence) {
    const weak = pageHandshakes(evidence).filter((one) => !isStrong(one));
    const isCharged = weak.every(
      (one) => !isCertificateWeak(one) && listHalfFaults(one).length === 0,
    );
    return weak.length > 0 && isCharged ? ["tls.chain"] : handshakeParents(evidence);
  },
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const answer = evidence.page.hops.at(-1);
    const worst =
      handshakes.find(isCertificateWeak) ??
      handshakes.find((one) => listHalfFaults(one).length > 0);
    const tls = worst ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { keyType, curve, signatureAlgorithm } = tls.certificate;
    const key = cut([keyType, keyBits(tls.certificate), curve].filter(Boolean).join(" "), 80);
    const exchange = describeExchange(tls);
    const note = describePostQuantum(tls);
    const faults = worst ? listHalfFaults(worst, answer) : [];
    const also = (language: Language) => faults.map(({ found }) => ` ${found[language]}`).join("");
    const found = {
      fr: `${tls.host} : clé ${key}, échange de clés ${exchange.fr}, signature ${signatureAlgorithm}, suite ${tls.cipher}.${also("fr")}${note.fr}`,
      en: `${tls.host}: key ${key}, key exchange ${exchange.en}, signature ${signatureAlgorithm}, cipher suite ${tls.cipher}.${also("en")}${note.en}`,
    };
    if (!worst) return pass(found);
    if (isCertificateWeak(worst)) return fail(found);
    const fixes = faults.map(({ fix }) => fix);
    return partial(faults[0]?.grade ?? "", found, fixes.reduce(followFix));
  },
};
