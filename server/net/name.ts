/**
 * Names that lead nowhere on the public Internet, by source: the IANA special-use domain names but example.com,
 * example.net and example.org, which are real sites; what ICANN keeps out of the root; what networks call themselves.
 */
const PRIVATE_SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  "RFC 6761": ["example", "invalid", "localhost", "test"],
  "RFC 6762": ["local"],
  "RFC 6762, appendix G": ["intranet", "internal", "private", "corp", "home", "lan"],
  "RFC 7686": ["onion"],
  "RFC 8375": ["home.arpa"],
  "RFC 8880": ["ipv4only.arpa"],
  "RFC 9031": ["6tisch.arpa"],
  "RFC 9140": ["eap-noob.arpa"],
  "RFC 9462": ["resolver.arpa"],
  "RFC 9476": ["alt"],
  "RFC 9665": ["service.arpa"],
  "RFC 9965": ["eap.arpa"],
  "ICANN, name collisions, 2018": ["corp", "home", "mail"],
  "ICANN, private use, 2024": ["internal"],
  "RFC 3172, reverse zones, where no site is": ["in-addr.arpa", "ip6.arpa"],
  "Default of many systems": ["localdomain"],
};

const SUFFIXES = new Set(Object.values(PRIVATE_SUFFIXES).flat());
const LABEL = /^[a-z0-9_-]{1,63}$/;
const MAX_NAME_LENGTH = 253;

/** Whether a lower-case ASCII host name, without its trailing dot, is one that DNS can hold. */
export function isName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && name.split(".").every((label) => LABEL.test(label));
}

/** The private suffix of such a name, "" for a single label without one; undefined for a public name. */
export function findPrivateSuffix(name: string): string | undefined {
  const labels = name.split(".");
  const endings = labels.map((_, index) => labels.slice(index).join("."));
  const suffix = endings.find((ending) => SUFFIXES.has(ending));
  return suffix ?? (labels.length === 1 ? "" : undefined);
}
