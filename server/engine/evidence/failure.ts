import * as z from "zod";

/** Why the guard refuses a URL. */
export const RefusalCode = z.enum([
  "unparseable",
  "not_https",
  "userinfo",
  "characters",
  "too_long",
  "port",
  "private",
  "not_found",
  "dns_failure",
  "dns_timeout",
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** The code of a connection that was not tried, since this machine has no route to addresses of that family. */
export const NO_ROUTE = "ERR_NO_ROUTE";

/** Why a visit was given up: the check's thread hung or crashed, or its code threw. */
export const GiveUpCode = z.enum(["hung", "crashed", "failed"]);
export type GiveUpCode = z.infer<typeof GiveUpCode>;

/**
 * Where a request stopped. `code` is Node's or OpenSSL's code, NO_ROUTE, a RefusalCode in phase `guard`, or a GiveUpCode in
 * phase `check`, which means that the whole visit was given up.
 */
export const Failure = z.object({
  phase: z.enum(["guard", "connect", "tls", "response", "body", "deadline", "check"]),
  code: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;
