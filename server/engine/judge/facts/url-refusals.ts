import type { Text } from "../../../../shared/language.ts";
import type { RefusalCode } from "../../evidence/exchange.ts";

const REFUSALS: Readonly<Record<RefusalCode, Text>> = {
  unparseable: { fr: "l'adresse n'est pas une URL", en: "the URL is not valid" },
  not_https: { fr: "l'URL n'est pas en https", en: "the URL is not https" },
  userinfo: { fr: "l'URL contient un identifiant", en: "the URL contains a user name" },
  characters: {
    fr: "l'URL contient un caractère interdit",
    en: "the URL contains a forbidden character",
  },
  too_long: { fr: "l'URL est trop longue", en: "the URL is too long" },
  port: { fr: "le port n'est ni 443 ni 8443", en: "the port is neither 443 nor 8443" },
  private: {
    fr: "l'hôte est privé, ou son nom se résout en une adresse IP privée",
    en: "the host is private, or resolves to a private IP address",
  },
  not_found: { fr: "le nom n'existe pas dans le DNS", en: "the name does not exist in the DNS" },
  dns_failure: {
    fr: "le serveur DNS répond par une erreur",
    en: "the DNS server responds with an error",
  },
  dns_timeout: {
    fr: "le serveur DNS ne répond pas à temps",
    en: "the DNS server does not respond in time",
  },
};

/** The text is the end of a sentence. */
export function phraseRefusal(code: RefusalCode): Text {
  return REFUSALS[code];
}

const URL_FIX = {
  fr: "Indiquez l'URL publique du site, en https, sur le port 443 ou 8443, sans identifiant ni mot de passe.",
  en: "Use the site's public URL: https, port 443 or 8443, without a user name or password.",
};
const DNS_FIX = {
  fr: "Vérifiez les serveurs de noms du domaine (dig +trace NOM) : l'un d'eux ne répond pas, ou répond par une erreur.",
  en: "Check the domain's name servers (dig +trace NAME): one of them does not respond, or responds with an error.",
};

const FIXES: Readonly<Partial<Record<RefusalCode, Text>>> = {
  unparseable: URL_FIX,
  not_https: URL_FIX,
  userinfo: URL_FIX,
  characters: URL_FIX,
  too_long: URL_FIX,
  port: URL_FIX,
  private: {
    fr: "Faites pointer tous les enregistrements A et AAAA de ce nom vers des adresses IP publiques. Pour un site interne, l'administrateur de ce serveur peut autoriser le réseau du site (SHIPSCORE_ALLOW_NETWORKS).",
    en: "Point all A and AAAA records of this name to public IP addresses. For an internal site, the administrator of this server can allow the site's network (SHIPSCORE_ALLOW_NETWORKS).",
  },
  dns_failure: DNS_FIX,
  dns_timeout: DNS_FIX,
};

/** Returns undefined if the rule's own fix applies. */
export function findRefusalFix(code: RefusalCode): Text | undefined {
  return FIXES[code];
}
