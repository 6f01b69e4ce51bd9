import * as z from "zod";
import type { Headers } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/accessors.ts";
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
  headers: Words,
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
