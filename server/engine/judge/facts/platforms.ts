import * as z from "zod";
import type { Headers } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
import table from "./platforms.json" with { type: "json" };

const Expression = z.string().transform((source) => new RegExp(source, "im"));
const Words = z.strictObject({ fr: z.string(), en: z.string() });

/**
 * A host or CDN on which a site is set up in a panel, not in a web server's file. It redirects before it forwards, so its
 * switch cannot loop as a redirect behind it can (RFC 9110, 15.4).
 */
const Platform = z.strictObject({
  name: z.string(),
  /** What its answers give as Server. */
  server: Expression,
  /** Where http is redirected to https. */
  https: Words,
  /** Where the headers of its responses are set. */
  headers: Words,
  compression: Words.optional(),
  http2: Words.optional(),
  /** Which versions of TLS and cipher suites it accepts. */
  tls: Words.optional(),
  /** Where one of its hosts is redirected to another. */
  redirect: z.string(),
  /** What its certificates show: their issuer, or a name of its own that they cover. */
  issuer: Expression,
  certificate: Words,
});
type Platform = z.infer<typeof Platform>;

export const PLATFORMS: readonly Platform[] = z.array(Platform).parse(table);

/** The platform that answered; undefined for a web server of one's own. */
export function findPlatform(headers: Headers = []): Platform | undefined {
  const servers = headerValues(headers, "server");
  return PLATFORMS.find(({ server }) => servers.some((value) => server.test(value)));
}
