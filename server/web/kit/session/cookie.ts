import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import { SESSION_LIFE } from "../../../access/session-life.ts";

type Protection = Pick<Config, "tls" | "behindTlsProxy">;

const MAX_AGE_SECONDS = SESSION_LIFE.maxDays * 86_400;
const VALUE = /^[\w-]{43}$/;

const isSecure = (config: Protection) => config.tls !== undefined || config.behindTlsProxy;

const nameOf = (config: Protection) => (isSecure(config) ? "__Host-shipscore" : "shipscore");

/** The secret of the session that a request's cookie names; undefined if there is none, or several. */
export function findSessionSecret(
  { headers }: Pick<FastifyRequest, "headers">,
  config: Protection,
): string | undefined {
  const prefix = `${nameOf(config)}=`;
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 && VALUE.test(value) ? value : undefined;
}

/** Leaves a session's secret with the browser; without a secret, takes it back. */
export function setSessionCookie(
  reply: FastifyReply,
  config: Protection,
  secret: string | undefined,
): void {
  const parts = [
    `${nameOf(config)}=${secret ?? ""}`,
    "Path=/",
    `Max-Age=${secret === undefined ? 0 : MAX_AGE_SECONDS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(config) ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}
