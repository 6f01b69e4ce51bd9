import { getDomain } from "tldts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { isPlainHost } from "../facts/hosts.ts";
import { findPlatformFix, isFromAcmeClient } from "../facts/chain-faults.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { addLine, type Fix, type Rule, cut, fail, pass, unknown, rfc } from "../rule.ts";
import { handshakeParents } from "./tls-chain.ts";

/** `::1`, `[::1]` and `0:0::1` are the same address. */
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
 * Implements RFC 9525, 6.3: a wildcard is the whole left-most label and matches one label. Two or more labels must
 * follow it.
 */
function matchesName(pattern: string, host: string): boolean {
  if (!pattern.startsWith("*.")) return !pattern.includes("*") && pattern === host;
  const suffix = pattern.slice(1);
  if (suffix.includes("*") || suffix.split(".").length < 3) return false;
  return host.indexOf(".") > 0 && host.slice(host.indexOf(".")) === suffix;
}

/** The common name is ignored. */
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

function listOwnNames({ host, certificate }: Tls): string[] | undefined {
  const names = certificate.sans.map((san) => san.replace(/^dns:/, ""));
  const domain = domainOf(host);
  const isOwn = (name: string) => isPlainHost(name) && domainOf(name) === domain;
  const isListed = domain !== null && names.length <= SHOWN_SANS && [host, ...names].every(isOwn);
  return isListed ? [host, ...names] : undefined;
}

/** The new certificate keeps the old names and adds one (RFC 9525, 6.3). */
function describeFix(tls: Tls, hops: readonly Hop[]): Fix | undefined {
  const { host } = tls;
  if (isAddress(host) || !isPlainHost(host)) return undefined;
  const keeper = findPlatformFix(tls, hops);
  if (keeper) return keeper;
  const names = isFromAcmeClient(tls) ? listOwnNames(tls) : undefined;
  const fix = {
    fr: `Obtenez un certificat dont les SAN comprennent ${host}, puis servez-le pour ce nom.`,
    en: `Get a certificate whose SANs include ${host}, then serve it for this name.`,
  };
  return names ? addLine(fix, `certbot --expand -d ${names.join(" -d ")}`) : fix;
}

export const hostname: Rule = {
  id: "tls.hostname",
  title: { fr: "Nom d'hôte dans le certificat", en: "Host name in the certificate" },
  measures: {
    fr: "Un nom alternatif (SAN) du certificat couvre l'hôte. Le nom commun (CN) ne compte pas, et le caractère générique * remplace une étiquette entière.",
    en: "A subject alternative name (SAN) of the certificate covers the host. The common name (CN) does not count, and the wildcard * matches one whole label.",
  },
  why: {
    fr: "À la place de la page, les navigateurs affichent un avertissement de sécurité.",
    en: "Browsers show a security warning in place of the page.",
  },
  fix: {
    fr: "Obtenez un certificat dont les noms alternatifs (SAN) comprennent cet hôte.",
    en: "Get a certificate whose subject alternative names (SANs) include this host.",
  },
  standard: rfc(9525, "6.3"),
  capReason: {
    fr: "Le certificat est celui d'un autre hôte : les navigateurs bloquent la page.",
    en: "The certificate belongs to another host: browsers block the page.",
  },
  parents: handshakeParents,
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const tls = handshakes.find((one) => !coversHost(one)) ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { sans } = tls.certificate;
    const names = sans.slice(0, SHOWN_SANS).map((san) => san.replace(/^(?:dns|ip):/, ""));
    const list = cut(names.join(", "), 200);
    const more = sans.length > SHOWN_SANS ? ", …" : "";
    if (coversHost(tls))
      return pass({
        fr: `Le certificat couvre ${tls.host} (noms : ${list}${more}).`,
        en: `The certificate covers ${tls.host} (names: ${list}${more}).`,
      });
    if (sans.length === 0)
      return fail(
        {
          fr: `Le certificat servi pour ${tls.host} n'a ni nom d'hôte ni adresse IP parmi ses noms alternatifs (SAN).`,
          en: `The certificate served for ${tls.host} has no host name or IP address among its subject alternative names (SANs).`,
        },
        describeFix(tls, evidence.page.hops),
      );
    return fail(
      {
        fr: `Le certificat servi pour ${tls.host} ne couvre que ${list}${more}.`,
        en: `The certificate served for ${tls.host} covers only ${list}${more}.`,
      },
      describeFix(tls, evidence.page.hops),
    );
  },
};
