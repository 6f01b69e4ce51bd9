import type { Text } from "../../language.ts";

/**
 * Hosts that one operator bought and has sent malicious code from, as published on 2024-06-25 by Sansec
 * (https://sansec.io/research/polyfill-supply-chain-attack) and as extended there until 2024-07-02; each with all under it.
 */
const COMPROMISED: readonly string[] = [
  "polyfill.io",
  "polyfill.com",
  "bootcdn.net",
  "bootcss.com",
  "staticfile.net",
  "staticfile.org",
  "unionadjs.com",
  "xhsbpza.com",
  "union.macoms.la",
  "newcrbpc.com",
];
export const COMPROMISED_SINCE: Text = { fr: "juin 2024", en: "June 2024" };

/** Public CDNs that answer with CORS, so that browsers can compare a file with its digest. */
const PUBLIC_CDNS: readonly string[] = [
  "ajax.aspnetcdn.com",
  "ajax.googleapis.com",
  "cdn.datatables.net",
  "cdn.jsdelivr.net",
  "cdnjs.cloudflare.com",
  "code.jquery.com",
  "fastly.jsdelivr.net",
  "maxcdn.bootstrapcdn.com",
  "netdna.bootstrapcdn.com",
  "stackpath.bootstrapcdn.com",
  "unpkg.com",
  "use.fontawesome.com",
];
/** `jquery-3.7.1.min.js`, `/vue@3.4.21/`, `/jquery/3.7.1/`. */
const VERSION = /[@/-]v?\d+\.\d+\.\d+/;
/** Files that the CDN puts together anew may change without their version. */
const COMBINED = /^\/combine\//;

/** Whether strangers are known to send their own code from the host. */
export function isCompromised(hostname: string): boolean {
  return COMPROMISED.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

/** Whether the URL is that of one version of a file, on a public CDN. */
export function isPinned({ hostname, pathname }: URL): boolean {
  return PUBLIC_CDNS.includes(hostname) && VERSION.test(pathname) && !COMBINED.test(pathname);
}
