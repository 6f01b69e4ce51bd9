import type { FastifyRequest } from "fastify";
import type { RelyingParty } from "../../../access/webauthn.ts";
import type { Config } from "../../../config.ts";
import { findOwnOrigin } from "../../../http/origin.ts";

const ADDRESS = /^[\d.]+$|^\[/;

/** This server, as passkeys know it; undefined where browsers make none: at an address instead of a name. */
export function findRelyingParty(
  { headers }: Pick<FastifyRequest, "headers">,
  config: Config,
): RelyingParty | undefined {
  const origin = findOwnOrigin(headers.host, config);
  if (origin === undefined) return undefined;
  const { hostname } = new URL(origin);
  return ADDRESS.test(hostname) ? undefined : { id: hostname, origin };
}
