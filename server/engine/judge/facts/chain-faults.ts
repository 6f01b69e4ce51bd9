import type { Text } from "../../../../shared/language.ts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { cut } from "../rule.ts";
import { findPlatform, PLATFORMS } from "./platforms.ts";

/** Authorities that issue certificates only to ACME clients. */
const ACME_AUTHORITIES = /O="?(?:Let's Encrypt|ZeroSSL|ISRG)/;
const ORGANIZATION = /(?:^|, )O="?([^",=]{1,80})/;

/** Returns undefined if the site's owner renews the certificate instead of a platform. */
export function findPlatformFix(
  { host, certificate }: Tls,
  hops: readonly Hop[] = [],
): Text | undefined {
  const shown = [certificate.issuer, ...certificate.sans].join("\n");
  const answer = hops.find(({ tls }) => tls?.host === host);
  const platform = PLATFORMS.find(({ issuer }) => issuer.test(shown));
  return (platform ?? findPlatform(answer?.headers))?.certificate;
}

export function isFromAcmeClient({ certificate }: Tls): boolean {
  return ACME_AUTHORITIES.test(certificate.issuer);
}

/** Renewing early breaks nothing: the old certificate is served until the reload (RFC 5280, 4.1.2.5). */
export function fixRenewal(tls: Tls, hops?: readonly Hop[]): Text {
  const platformFix = findPlatformFix(tls, hops);
  if (platformFix) return platformFix;
  if (isFromAcmeClient(tls))
    return {
      fr: "Renouvelez le certificat avec le client ACME qui l'a obtenu (certbot renew --cert-name NOM ; certbot certificates liste les noms). Rechargez ensuite le serveur : jusque-là, il sert encore l'ancien.",
      en: "Renew the certificate with the ACME client that obtained it (certbot renew --cert-name NAME; certbot certificates lists the names). Then reload the server: until then it still serves the old one.",
    };
  const by = cut(ORGANIZATION.exec(tls.certificate.issuer)?.[1] ?? "", 60);
  const named = by === "" ? "" : ` (${by})`;
  return {
    fr: `Renouvelez le certificat chez votre hébergeur ou auprès de son autorité${named}, ou obtenez-en un par ACME, qui se renouvelle seul (certbot). Rechargez ensuite le serveur : jusque-là, il sert encore l'ancien.`,
    en: `Renew the certificate at your hosting provider or its authority${named}, or get one with ACME, which renews itself (certbot). Then reload the server: until then it still serves the old one.`,
  };
}

/** `what` is the end of a sentence. */
interface ChainFault {
  readonly what: Text;
  readonly fix: Text;
}

/** Clients ignore intermediates that they already have (RFC 8446, 4.4.2). */
export const FULL_CHAIN = {
  fr: "Servez le certificat avec les certificats intermédiaires actuels de son autorité : dans nginx, ssl_certificate doit indiquer fullchain.pem, et non cert.pem.",
  en: "Serve the certificate with its authority's current intermediate certificates. In nginx, ssl_certificate must be the path of fullchain.pem, not of cert.pem.",
};
export const CURRENT_INTERMEDIATE = {
  fr: "Servez le certificat intermédiaire que l'autorité utilise aujourd'hui : renouvelez le certificat avec sa chaîne (fullchain.pem), puis rechargez le serveur.",
  en: "Serve the intermediate certificate that the authority uses today: renew the certificate with its chain (fullchain.pem), then reload the server.",
};
const PUBLIC_AUTHORITY = {
  fr: "Obtenez un certificat d'une autorité que les navigateurs reconnaissent, comme Let's Encrypt (certbot). Pour un site interne, ajoutez votre certificat racine sur le serveur qui fait la vérification (NODE_EXTRA_CA_CERTS).",
  en: "Get a certificate from an authority that browsers trust, such as Let's Encrypt (certbot). For an internal site, add your root certificate to the server that runs the check (NODE_EXTRA_CA_CERTS).",
};
const REISSUE = {
  fr: "Faites réémettre le certificat et ses certificats intermédiaires, avec une signature SHA-256 et une clé EC P-256 ou RSA de 2048 bits.",
  en: "Have the certificate and its intermediate certificates reissued with a SHA-256 signature and an EC P-256 or 2048-bit RSA key.",
};
const UNKNOWN_ISSUER = {
  what: { fr: "son émetteur n'est pas reconnu", en: "its issuer is not trusted" },
  fix: PUBLIC_AUTHORITY,
};
const NO_INTERMEDIATE = {
  what: {
    fr: "il manque le certificat intermédiaire qui le relie à une racine",
    en: "the intermediate certificate that links it to a root is missing",
  },
  fix: FULL_CHAIN,
};

const NO_AUTHORITY = {
  what: {
    fr: "un certificat de sa chaîne n'a pas le droit d'en signer d'autres",
    en: "a certificate in its chain is not allowed to sign others",
  },
  fix: FULL_CHAIN,
};
const OTHER = {
  what: { fr: "sa chaîne n'est pas reconnue", en: "its chain is not trusted" },
  fix: FULL_CHAIN,
};

const UNVERIFIED_LEAF = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";

const FAULTS: Readonly<Record<string, ChainFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: { fr: "il est autosigné", en: "it is self-signed" },
    fix: PUBLIC_AUTHORITY,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    what: { fr: "sa racine n'est pas reconnue", en: "its root is not trusted" },
    fix: PUBLIC_AUTHORITY,
  },
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  [UNVERIFIED_LEAF]: NO_INTERMEDIATE,
  INVALID_CA: NO_AUTHORITY,
  INVALID_PURPOSE: NO_AUTHORITY,
};

/** Some clients download a missing intermediate from the URL that the certificate declares. */
export function lacksIntermediate({ chainError, chainLength, certificate }: Tls): boolean {
  const isAlone = chainError?.code === UNVERIFIED_LEAF && chainLength === 1;
  return isAlone && certificate.namesIssuer === true;
}

/** OpenSSL has no error code for a weak digest or key, so only the message shows it. */
export function failsOnDigest({ chainError }: Tls): boolean {
  return chainError !== null && /digest|md too weak/i.test(chainError.message);
}

export function failsOnKey({ chainError }: Tls): boolean {
  return chainError !== null && /key too (?:weak|small)/i.test(chainError.message);
}

export function failsOnOwnDates({ chainError, certificate }: Tls, checkedAt: string): boolean {
  const now = Date.parse(checkedAt);
  if (chainError?.code === "CERT_HAS_EXPIRED") return Date.parse(certificate.notAfter) < now;
  return chainError?.code === "CERT_NOT_YET_VALID" && Date.parse(certificate.notBefore) > now;
}

function findDateFault(tls: Tls, checkedAt: string, hops: readonly Hop[]): ChainFault | undefined {
  const isOwn = failsOnOwnDates(tls, checkedAt);
  const who = isOwn
    ? { fr: "il", en: "it" }
    : { fr: "un certificat intermédiaire", en: "an intermediate certificate" };
  if (tls.chainError?.code === "CERT_HAS_EXPIRED")
    return {
      what: { fr: `${who.fr} a expiré`, en: `${who.en} has expired` },
      fix: isOwn ? fixRenewal(tls, hops) : FULL_CHAIN,
    };
  if (tls.chainError?.code !== "CERT_NOT_YET_VALID") return undefined;
  return {
    what: { fr: `${who.fr} n'est pas encore valide`, en: `${who.en} is not valid yet` },
    fix: {
      fr: "Servez l'ancien certificat jusqu'à ce que le nouveau soit valide, ou faites réémettre le nouveau.",
      en: "Serve the old certificate until the new one is valid, or have the new one reissued.",
    },
  };
}

export function findFault(tls: Tls, checkedAt: string, hops: readonly Hop[]): ChainFault {
  const dated = findDateFault(tls, checkedAt, hops);
  if (dated) return dated;
  if (failsOnDigest(tls))
    return {
      what: {
        fr: "une signature de sa chaîne est trop faible",
        en: "a signature in its chain is too weak",
      },
      fix: REISSUE,
    };
  if (failsOnKey(tls))
    return {
      what: { fr: "une clé de sa chaîne est trop faible", en: "a key in its chain is too weak" },
      fix: REISSUE,
    };
  return FAULTS[tls.chainError?.code ?? ""] ?? OTHER;
}

export function nameFault({ chainError }: Tls): string {
  const { code = "", message = "" } = chainError ?? {};
  return cut(code === "UNSPECIFIED" ? message || code : code, 60);
}
