import * as z from "zod";
import { Failure, RefusalCode } from "./failure.ts";
import { Tls } from "./tls.ts";

/** The response headers that some rule reads: lower-cased, in the order received, with duplicates. */
export const Headers = z.array(z.tuple([z.string(), z.string()]));
export type Headers = z.infer<typeof Headers>;

/** One answer of a redirect chain. `tls` is null over http. */
export const Hop = z.object({
  url: z.string(),
  status: z.int(),
  address: z.string(),
  headers: Headers,
  tls: Tls.nullable(),
});
export type Hop = z.infer<typeof Hop>;

/** Why a redirect was not followed, and its URL. */
export const Stop = z.object({
  url: z.string(),
  reason: z.enum(["downgrade", "loop", "too_many", "refused"]),
  refusal: RefusalCode.nullable(),
});
export type Stop = z.infer<typeof Stop>;

/**
 * A GET and its redirects. It ended with the last hop's answer (`failure` and `stop` null), with a failure of the request
 * after the last hop, or with a redirect that was not followed. `tls` is the last handshake's, even if no answer came over it.
 */
export const RedirectChain = z.object({
  hops: z.array(Hop),
  failure: Failure.nullable(),
  stop: Stop.nullable(),
  tls: Tls.nullable(),
});
export type RedirectChain = z.infer<typeof RedirectChain>;

/**
 * The answer to one side request; its status is null if none came. `skipped`: not sent, for want of time or requests.
 */
export const Answer = z.object({
  status: z.int().nullable(),
  headers: Headers,
  failure: Failure.nullable(),
  skipped: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;
