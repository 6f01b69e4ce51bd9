import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import { HALF_SECONDS } from "../../../access/sign-in.ts";
import { SESSION_LIFE } from "../../../base/bounds.ts";
import { fingerprintOfSession } from "../../../access/sessions.ts";
import { isTimeZone } from "../../../access/account-settings.ts";
import type { ClientInfo } from "../../../db/accounts/sessions.ts";
import { findVisitor } from "../../../http/visitor.ts";
import { fieldsOf } from "../forms.ts";
import { nameBrowser } from "./browser-name.ts";

type Protection = Pick<Config, "tls" | "behindTlsProxy">;

/** `half`: a sign-in that still needs its second factor. */
const COOKIES = {
  session: { suffix: "", value: /^[\w-]{43}$/, maxAgeSeconds: SESSION_LIFE.maxDays * 86_400 },
  half: { suffix: "-half", value: /^[\w.-]{1,250}$/, maxAgeSeconds: HALF_SECONDS },
  language: { suffix: "-language", value: /^\w{2}$/, maxAgeSeconds: 365 * 86_400 },
} as const;
type Cookie = keyof typeof COOKIES;

const isSecure = (config: Protection) => config.tls !== undefined || config.behindTlsProxy;

const nameOf = (cookie: Cookie, config: Protection) =>
  `${isSecure(config) ? "__Host-shipscore" : "shipscore"}${COOKIES[cookie].suffix}`;

/** Undefined if the cookie is missing, repeated or malformed. */
export function findCookie(
  cookie: Cookie,
  { headers }: Pick<FastifyRequest, "headers">,
  config: Protection,
): string | undefined {
  const prefix = `${nameOf(cookie, config)}=`;
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [value = ""] = values;
  return values.length === 1 && COOKIES[cookie].value.test(value) ? value : undefined;
}

export const findSessionSecret = (
  request: Pick<FastifyRequest, "headers">,
  config: Protection,
): string | undefined => findCookie("session", request, config);

export function setCookie(
  cookie: Cookie,
  reply: FastifyReply,
  config: Protection,
  value: string | undefined,
): void {
  const parts = [
    `${nameOf(cookie, config)}=${value ?? ""}`,
    "Path=/",
    `Max-Age=${value === undefined ? 0 : COOKIES[cookie].maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(config) ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}

export const setSessionCookie = (
  reply: FastifyReply,
  config: Protection,
  secret: string | undefined,
): void => setCookie("session", reply, config, secret);

export function clientOf(request: FastifyRequest, config: Config): ClientInfo {
  const secret = findSessionSecret(request, config);
  const { time_zone: timeZone } = fieldsOf(request);
  return {
    browser: nameBrowser(request.headers["user-agent"]),
    address: findVisitor(request.raw, config.trustedProxies),
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined,
    former: secret === undefined ? undefined : fingerprintOfSession(secret),
  };
}
