import type { Text } from "../../../../language.ts";
import type { Tls } from "../../../../evidence/tls.ts";
import { pageHandshakes } from "../page.ts";
import { type Rule, cut, fail, pass, text, unknown } from "../../../rule.ts";
import { handshakeParents } from "./tls-chain.ts";
import { isUrl } from "../../../../../shared/url.ts";

/** One spelling for each address: `::1`, `[::1]` and `0:0::1` are the same. */
function normalizeAddress(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "");
  const literal = bare.includes(":") ? `[${bare}]` : bare;
  return isUrl(`https://${literal}/`) ? new URL(`https://${literal}/`).hostname : bare;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+(\.\d+){3}$/.test(host);
}

/** RFC 9525, 6.3: a wildcard is the whole left-most label, stands for one label, and has two or more after it. */
function matchesName(pattern: string, host: string): boolean {
  if (!pattern.startsWith("*.")) return !pattern.includes("*") && pattern === host;
  const suffix = pattern.slice(1);
  if (suffix.includes("*") || suffix.split(".").length < 3) return false;
  return host.indexOf(".") > 0 && host.slice(host.indexOf(".")) === suffix;
}

/** Whether a subject alternative name covers the host that was dialled; the common name counts for nothing. */
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

function describeFix(host: string): Text | undefined {
  if (isAddress(host)) return undefined;
  return text(
    `Faites émettre un certificat dont les SAN comprennent ${host} (certbot --expand -d ${host} -d …), et servez-le pour ce nom (nginx : server_name ${host};).`,
    `Have a certificate issued whose SANs include ${host} (certbot --expand -d ${host} -d …), and serve it for this name (nginx: server_name ${host};).`,
  );
}

export const hostname: Rule = {
  id: "tls.hostname",
  title: text("Certificat au nom de l'hôte", "Certificate issued for the host"),
  measures: text(
    "Un nom alternatif (SAN) du certificat couvre l'hôte ; le nom commun (CN) ne compte pas, et un joker vaut pour une étiquette entière.",
    "A subject alternative name of the certificate covers the host; the common name does not count, and a wildcard stands for one whole label.",
  ),
  matters: text(
    "Le navigateur arrête le visiteur sur un avertissement de sécurité.",
    "The browser stops the visitor at a security warning.",
  ),
  fix: text(
    "Faites émettre un certificat dont les noms alternatifs (SAN) comprennent cet hôte.",
    "Have a certificate issued whose subject alternative names include this host.",
  ),
  standard: { name: "RFC 9525, 6.3", url: "https://www.rfc-editor.org/rfc/rfc9525#section-6.3" },
  capReason: text(
    "Le certificat est celui d'un autre hôte : les navigateurs refusent la page.",
    "The certificate belongs to another host: browsers refuse the page.",
  ),
  parents: handshakeParents,
  judge(evidence) {
    const handshakes = pageHandshakes(evidence);
    const tls = handshakes.find((one) => !coversHost(one)) ?? handshakes.at(-1);
    if (!tls) return unknown(text("Aucun certificat n'a été vu.", "No certificate was seen."));
    const { sans } = tls.certificate;
    const names = sans.slice(0, SHOWN_SANS).map((san) => san.replace(/^(?:dns|ip):/, ""));
    const list = cut(names.join(", "), 200);
    const more = sans.length > SHOWN_SANS ? ", …" : "";
    if (coversHost(tls))
      return pass(
        text(
          `${tls.host} est couvert : ${list}${more}.`,
          `${tls.host} is covered: ${list}${more}.`,
        ),
      );
    if (sans.length === 0)
      return fail(
        text(
          `Le certificat présenté pour ${tls.host} n'a aucun nom alternatif (SAN) qui soit un nom ou une adresse.`,
          `The certificate shown for ${tls.host} has no subject alternative name that is a name or an address.`,
        ),
        describeFix(tls.host),
      );
    return fail(
      text(
        `Le certificat présenté pour ${tls.host} ne couvre que ${list}${more}.`,
        `The certificate shown for ${tls.host} covers only ${list}${more}.`,
      ),
      describeFix(tls.host),
    );
  },
};
