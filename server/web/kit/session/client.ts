import type { FastifyRequest } from "fastify";
import { fingerprintOfSession } from "../../../access/sessions.ts";
import { isTimeZone } from "../../../access/account-settings.ts";
import type { Config } from "../../../config.ts";
import type { ClientInfo } from "../../../db/accounts/sessions.ts";
import { findVisitor } from "../../../http/visitor.ts";
import { fieldsOf } from "../forms.ts";
import { nameBrowser } from "./browser-name.ts";
import { findSessionSecret } from "./cookie.ts";

/** Where a session that this request begins is begun. */
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
