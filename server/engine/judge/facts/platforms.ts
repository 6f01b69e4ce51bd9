import * as z from "zod";
import type { Headers } from "../../evidence/exchange.ts";
import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findAnswer, headerValues, pageHeader, pageUrl } from "../../evidence/accessors.ts";
import table from "./platforms.json" with { type: "json" };

const Expression = z.string().transform((source) => new RegExp(source, "im"));
const Words = z.strictObject({ fr: z.string(), en: z.string() });

/**
 * A platform's settings are in a panel, not in a web server's file. Each text says where. The platform redirects before
 * it forwards, so its own switch cannot cause a loop. A redirect in the server behind it can (RFC 9110, 15.4).
 */
const Platform = z.strictObject({
  name: z.string(),
  server: Expression,
  https: Words,
  /** Where to set a header; absent if the platform sends none for its customers. */
  headers: Words.optional(),
  compression: Words.optional(),
  http2: Words.optional(),
  tls: Words.optional(),
  redirect: z.string(),
  /** Matches the issuer of the platform's certificates, or a name of the platform among their SANs. */
  issuer: Expression,
  certificate: Words,
});
type Platform = z.infer<typeof Platform>;

export const PLATFORMS: readonly Platform[] = z.array(Platform).parse(table);

export function findPlatform(headers: Headers = []): Platform | undefined {
  const servers = headerValues(headers, "server");
  return PLATFORMS.find(({ server }) => servers.some((value) => server.test(value)));
}

/** Hosts that send no headers for their customers, by the end of their host names. */
const HEADERLESS: readonly (readonly [suffix: string, name: string])[] = [
  [".github.io", "GitHub Pages"],
  [".gitlab.io", "GitLab Pages"],
  [".codeberg.page", "Codeberg Pages"],
  [".neocities.org", "Neocities"],
  [".readthedocs.io", "Read the Docs"],
  [".blogspot.com", "Blogger"],
];

/** Returns the name of a host that sends no headers for its customers. */
export function findHeaderlessHost(evidence: Evidence): string | undefined {
  const { hostname } = pageUrl(evidence);
  const [, name] = HEADERLESS.find(([suffix]) => hostname.endsWith(suffix)) ?? [];
  const platform = findPlatform(findAnswer(evidence)?.headers);
  return name ?? (platform && !platform.headers ? platform.name : undefined);
}

export function describeHeaderless(name: string): Text {
  return {
    fr: `${name} ne peut pas l'envoyer : placez devant le site un CDN qui l'ajoute, comme Cloudflare, ou changez d'hébergeur.`,
    en: `${name} cannot send it: put a CDN that adds it in front of the site, such as Cloudflare, or move to another hosting provider.`,
  };
}

/** Hosts of files, by the end of their host names. */
const FILE_HOSTS = [".pages.dev", ".netlify.app", ".web.app", ".firebaseapp.com", ".surge.sh"];
/** Platforms that serve files, unless a program answers. */
const FILE_PLATFORMS = ["CloudFront", "Netlify", "Vercel"];

/** Whether the page is a file, which is the same for every visitor. Such a page cannot contain a new nonce each time. */
export function isFile(evidence: Evidence): boolean {
  if (findHeaderlessHost(evidence) !== undefined) return true;
  const isProgram = ["x-powered-by", "set-cookie"].some(
    (name) => pageHeader(evidence, name).length > 0,
  );
  if (isProgram) return false;
  const { hostname } = pageUrl(evidence);
  const platform = findPlatform(findAnswer(evidence)?.headers)?.name ?? "";
  return (
    FILE_HOSTS.some((suffix) => hostname.endsWith(suffix)) ||
    FILE_PLATFORMS.includes(platform) ||
    pageHeader(evidence, "last-modified").length > 0
  );
}
