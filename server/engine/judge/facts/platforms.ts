import * as z from "zod";
import type { Headers } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
import table from "./platforms.json" with { type: "json" };

const Expression = z.string().transform((source) => new RegExp(source, "im"));
const Words = z.strictObject({ fr: z.string(), en: z.string() });

/**
 * A host or CDN whose settings are in a panel, not in a web server's file. It redirects before it forwards, so its
 * switch cannot loop, while a redirect behind it can (RFC 9110, 15.4).
 */
const Platform = z.strictObject({
  name: z.string(),
  /** The Server header of its answers. */
  server: Expression,
  /** Where to redirect http to https. */
  https: Words,
  /** Where to set response headers. */
  headers: Words,
  compression: Words.optional(),
  http2: Words.optional(),
  /** Where to set the accepted versions of TLS and cipher suites. */
  tls: Words.optional(),
  /** Where to redirect one of its hosts to another. */
  redirect: z.string(),
  /** Matches its certificates: their issuer, or a name of the platform that they cover. */
  issuer: Expression,
  certificate: Words,
});
type Platform = z.infer<typeof Platform>;

export const PLATFORMS: readonly Platform[] = z.array(Platform).parse(table);

export function findPlatform(headers: Headers = []): Platform | undefined {
  const servers = headerValues(headers, "server");
  return PLATFORMS.find(({ server }) => servers.some((value) => server.test(value)));
}
