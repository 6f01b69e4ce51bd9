import type { Text } from "../../../../shared/language.ts";
import { BROWSER_CURVES, BROWSER_SUITES } from "../../evidence/browser-offer.ts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { cut, type Fix } from "../rule.ts";
import { withDirectives } from "./web-server.ts";

/** `what` is a sentence without its full stop. */
export interface BrowserRefusal {
  readonly what: Text;
  readonly fix: Fix;
}

export const NEW_KEY: Fix = {
  fr: "Faites réémettre le certificat avec une clé EC P-256 (certbot renew --cert-name NOM --force-renewal --key-type ecdsa ; certbot certificates liste les noms).",
  en: "Have the certificate reissued with an EC P-256 key (certbot renew --cert-name NAME --force-renewal --key-type ecdsa; certbot certificates lists the names).",
};

const NEW_USAGE: Fix = {
  fr: "Faites réémettre le certificat avec l'usage de clé digitalSignature, ou sans usage de clé.",
  en: "Have the certificate reissued with the key usage digitalSignature, or without a key usage.",
};

const NEW_SIGNATURE: Fix = {
  fr: "Obtenez un certificat d'une autorité qui signe avec une clé EC P-256 ou RSA, comme Let's Encrypt (certbot).",
  en: "Get a certificate from an authority that signs with an EC P-256 or RSA key, such as Let's Encrypt (certbot).",
};

const CURVES: Fix = {
  fr: "Autorisez les courbes X25519, P-256 et P-384",
  en: "Allow the curves X25519, P-256 and P-384",
};

const CURVE_DIRECTIVES = {
  nginx: "ssl_ecdh_curve X25519:prime256v1:secp384r1;",
  Apache: "SSLOpenSSLConfCmd Curves X25519:prime256v1:secp384r1",
};

/** Servers with an RSA key also support these suites. TLS 1.3 has its own suites (RFC 9325, 4.2; RFC 8446, B.4). */
export function fixSuites(answer: Hop | undefined): Fix {
  const suites = "ECDHE+AESGCM:ECDHE+CHACHA20";
  return withDirectives(
    { fr: "N'autorisez que les suites ECDHE", en: "Allow ECDHE cipher suites only" },
    { nginx: `ssl_ciphers ${suites};`, Apache: `SSLCipherSuite ${suites}` },
    answer,
  );
}

const BY_NONE = { fr: "qu'aucun navigateur n'accepte", en: "which no browser accepts" };
const BY_FIREFOX = {
  fr: "que Firefox accepte et que Chrome refuse",
  en: "which Firefox accepts and Chrome refuses",
};

const BY_CHROME = { fr: "ce que Chrome exige", en: "which Chrome requires" };

const KEYS: Readonly<Record<string, string>> = {
  ed25519: "Ed25519",
  ed448: "Ed448",
  "rsa-pss": "RSA-PSS",
  dsa: "DSA",
};
const P521 = "secp521r1";
const FIREFOX_SUITE = /^TLS_ECDHE_ECDSA_WITH_AES_\d+_CBC_SHA$/;
const SUITES = new Set(BROWSER_SUITES.values());

const nameCurve = (curve: string): string => (curve === P521 ? "P-521" : cut(curve, 40));
const byOf = (isInFirefox: boolean): Text => (isInFirefox ? BY_FIREFOX : BY_NONE);

function findKeyRefusal({ certificate, keyExchange }: Tls): BrowserRefusal | undefined {
  const { keyType, curve, maySign, signatureAlgorithm } = certificate;
  const kind = KEYS[keyType.toLowerCase()];
  const isOnCurve = keyType === "ec" && curve !== null;
  if (kind !== undefined || (isOnCurve && !BROWSER_CURVES.includes(curve))) {
    const name = kind ?? nameCurve(curve ?? "");
    const by = byOf(kind === undefined && curve === P521);
    return {
      what: {
        fr: `la clé du certificat est de type ${name}, ${by.fr}`,
        en: `the key of the certificate is of type ${name}, ${by.en}`,
      },
      fix: NEW_KEY,
    };
  }
  // A static RSA exchange encrypts with the key and signs nothing.
  if (!maySign && keyExchange !== null)
    return {
      what: {
        fr: `l'usage de clé (Key Usage) du certificat n'autorise pas la signature, ${BY_CHROME.fr}`,
        en: `the key usage of the certificate does not allow signatures, ${BY_CHROME.en}`,
      },
      fix: NEW_USAGE,
    };
  if (!/^ed\d/i.test(signatureAlgorithm)) return undefined;
  return {
    what: {
      fr: `le certificat est signé en ${signatureAlgorithm}, ${BY_NONE.fr}`,
      en: `the certificate is signed with ${signatureAlgorithm}, ${BY_NONE.en}`,
    },
    fix: NEW_SIGNATURE,
  };
}

/** Why Chromium shows no page over this connection, which the server may have accepted only after a wider offer. */
export function findRefusal(tls: Tls, answer: Hop | undefined): BrowserRefusal | undefined {
  const refusal = findKeyRefusal(tls);
  if (refusal) return refusal;
  const { cipher, keyExchange } = tls;
  if (!SUITES.has(cipher)) {
    const by = byOf(FIREFOX_SUITE.test(cipher));
    return {
      what: {
        fr: `le serveur impose la suite ${cut(cipher, 60)}, ${by.fr}`,
        en: `the server requires the cipher suite ${cut(cipher, 60)}, ${by.en}`,
      },
      fix: fixSuites(answer),
    };
  }
  const group = keyExchange?.type === "ECDH" ? keyExchange.name : null;
  if (group === null || BROWSER_CURVES.includes(group)) return undefined;
  const by = byOf(group === P521);
  return {
    what: {
      fr: `le serveur impose un échange de clés sur ${nameCurve(group)}, ${by.fr}`,
      en: `the server requires a key exchange over ${nameCurve(group)}, ${by.en}`,
    },
    fix: withDirectives(CURVES, CURVE_DIRECTIVES, answer),
  };
}
