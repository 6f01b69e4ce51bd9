import { getDomain } from "tldts";
import type { Hop, Tls } from "../../evidence/exchange.ts";
import { isPlainHost } from "../facts/hosts.ts";
import { findPlatformFix, isFromAcmeClient } from "../facts/chain-faults.ts";
import {
  coversHost,
  findRegistryWildcard,
  isAddress,
} from "../../../base/syntax/certificate-names.ts";
import { pageHandshakes } from "../../evidence/accessors.ts";
import { addLine, type Fix, type Rule, cut, fail, pass, unknown, rfc } from "../rule.ts";
import { handshakeParents } from "./tls-chain.ts";

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
    fr: "Un nom alternatif (SAN) du certificat couvre l'hôte. Le nom commun (CN) ne compte pas, et le caractère générique * remplace une étiquette entière, mais pas tous les domaines d'une extension (*.co.uk).",
    en: "A subject alternative name (SAN) of the certificate covers the host. The common name (CN) does not count, and the wildcard * matches one whole label, but not every domain of an ending (*.co.uk).",
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
    const tls =
      handshakes.find((one) => !coversHost(one.host, one.certificate.sans)) ?? handshakes.at(-1);
    if (!tls)
      return unknown({ fr: "Aucun certificat n'a été reçu.", en: "No certificate was received." });
    const { sans } = tls.certificate;
    const names = sans.slice(0, SHOWN_SANS).map((san) => san.replace(/^(?:dns|ip):/, ""));
    const list = cut(names.join(", "), 200);
    const more = sans.length > SHOWN_SANS ? ", …" : "";
    if (coversHost(tls.host, sans))
      return pass({
        fr: `Le certificat couvre ${tls.host} (noms : ${list}${more}).`,
        en: `The certificate covers ${tls.host} (names: ${list}${more}).`,
      });
    const wildcard = findRegistryWildcard(tls.host, sans);
    if (wildcard !== undefined)
      return fail(
        {
          fr: `Le certificat servi pour ${tls.host} ne couvre que ${list}${more}. Les navigateurs refusent ${wildcard}, qui vaudrait pour tous les domaines de cette extension.`,
          en: `The certificate served for ${tls.host} covers only ${list}${more}. Browsers refuse ${wildcard}, which would cover every domain of this ending.`,
        },
        describeFix(tls, evidence.page.hops),
      );
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
