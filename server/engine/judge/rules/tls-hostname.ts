import { getDomain } from "tldts";
import type { Tls } from "../../evidence/tls.ts";
import { isPlainHost } from "../facts/hosts.ts";
import { findCertificateKeeper } from "../facts/platforms.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { pageHandshakes } from "../../evidence/page.ts";
import { type Fix, type Rule, cut, fail, pass, unknown, withLine } from "../rule.ts";
import { handshakeParents } from "./tls-chain.ts";

/** Spells each address in one way: `::1`, `[::1]` and `0:0::1` are the same. */
function normalizeAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "");
  const literal = bare.includes(":") ? `[${bare}]` : bare;
  return findUrl(`https://${literal}/`)?.hostname ?? bare;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(\.\d+){3}$/.test(host);
}

/**
 * Whether a name matches (RFC 9525, 6.3): a wildcard is the whole left-most label, stands for one label, and has two
 * or more labels after it.
 */
function matchesName(pattern: string, host: string): boolean {
  if (!pattern.startsWith("*.")) return !pattern.includes("*") && pattern === host;
  const suffix = pattern.slice(1);
  if (suffix.includes("*") || suffix.split(".").length < 3) return false;
  return host.indexOf(".") > 0 && host.slice(host.indexOf(".")) === suffix;
}

/** Whether a subject alternative name covers the host that was dialled; the common name is ignored. */
export function coversHost({ host, certificate }: Tls): boolean {
  return certificate.sans.some((san) => {
    const colon = san.indexOf(":");
    const kind = san.slice(0, colon).toLowerCase();
    const value = san.slice(colon + 1);
    if (isAddress(host)) return kind === "ip" && normalizeAddress(value) === normalizeAddress(host);
    return kind === "dns" && matchesName(normalizeName(value), normalizeName(host));
  });
}

const SHOWN_SANS = 10;

function domainOf(name: string): string | null {
  return getDomain(name, { allowPrivateDomains: true });
}

/** The names that one certificate could cover: the host, and those of its own domain that this one covers already. */
function listOwnNames({ host, certificate }: Tls): string[] | undefined {
  const names = certificate.sans.map((san) => san.replace(/^dns:/, ""));
  const domain = domainOf(host);
  const isOwn = (name: string) => isPlainHost(name) && domainOf(name) === domain;
  const isListed = domain !== null && names.length <= SHOWN_SANS && [host, ...names].every(isOwn);
  return isListed ? [host, ...names] : undefined;
}

function describeFix(tls: Tls): Fix | undefined {
  const { host } = tls;
  if (isAddress(host) || !isPlainHost(host)) return undefined;
  const keeper = findCertificateKeeper(tls);
  if (keeper) return keeper.certificate;
  const names = listOwnNames(tls);
  const command = `certbot --expand -d ${(names ?? [host]).join(" -d ")}`;
  const rest = names
    ? { fr: "", en: "" }
    : {
        fr: ", et -d pour chaque nom qu'il couvre déjà",
        en: ", and -d for each name that it covers already",
      };
  const fix = {
    fr: `Faites émettre un certificat dont les SAN comprennent ${host} (${command}${rest.fr}), et servez-le pour ce nom (nginx : server_name ${host};).`,
    en: `Have a certificate issued whose SANs include ${host} (${command}${rest.en}), and serve it for this name (nginx: server_name ${host};).`,
  };
  return names ? withLine(fix, command) : fix;
}

export const hostname: Rule = {
  id: "tls.hostname",
  title: { fr: "Certificat au nom de l'hôte", en: "Certificate issued for the host" },
  measures: {
    fr: "Un nom alternatif (SAN) du certificat couvre l'hôte ; le nom commun (CN) ne compte pas, et un joker vaut pour une étiquette entière.",
    en: "A subject alternative name of the certificate covers the host; the common name does not count, and a wildcard stands for one whole label.",
  },
  matters: {
    fr: "Le navigateur arrête le visiteur sur un avertissement de sécurité.",
    en: "The browser stops the visitor at a security warning.",
  },
  fix: {
    fr: "Faites émettre un certificat dont les noms alternatifs (SAN) comprennent cet hôte.",
    en: "Have a certificate issued whose subject alternative names include this host.",
  },
  standard: { name: "RFC 9525, 6.3", url: "https://www.rfc-editor.org/rfc/rfc9525#section-6.3" },
  capReason: {
    fr: "Le certificat est celui d'un autre hôte : les navigateurs refusent la page.",
    en: "The certificate belongs to another host: browsers refuse the page.",
  },
  parents: handshakeParents,
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const tls = handshakes.find((one) => !coversHost(one)) ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été vu.", en: "No certificate was seen." });
    const { sans } = tls.certificate;
    const names = sans.slice(0, SHOWN_SANS).map((san) => san.replace(/^(?:dns|ip):/, ""));
    const list = cut(names.join(", "), 200);
    const more = sans.length > SHOWN_SANS ? ", …" : "";
    if (coversHost(tls))
      return pass({
        fr: `${tls.host} est couvert : ${list}${more}.`,
        en: `${tls.host} is covered: ${list}${more}.`,
      });
    if (sans.length === 0)
      return fail(
        {
          fr: `Le certificat présenté pour ${tls.host} n'a aucun nom alternatif (SAN) qui soit un nom ou une adresse.`,
          en: `The certificate shown for ${tls.host} has no subject alternative name that is a name or an address.`,
        },
        describeFix(tls),
      );
    return fail(
      {
        fr: `Le certificat présenté pour ${tls.host} ne couvre que ${list}${more}.`,
        en: `The certificate shown for ${tls.host} covers only ${list}${more}.`,
      },
      describeFix(tls),
    );
  },
};
