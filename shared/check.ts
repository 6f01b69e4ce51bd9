import * as z from "zod/mini";
import { Quota } from "./quota.ts";

/** No other request headers may be sent. */
export const TARGET_HEADERS = [
  "x-vercel-protection-bypass",
  "cf-access-client-id",
  "cf-access-client-secret",
] as const;

export const TARGET_HEADER_MAX_LENGTH = 1024;
export const TARGET_HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const HeaderValue = z
  .string()
  .check(z.minLength(1), z.maxLength(TARGET_HEADER_MAX_LENGTH), z.regex(TARGET_HEADER_VALUE));

export const TargetHeaders = z.partialRecord(z.enum(TARGET_HEADERS), HeaderValue);
export type TargetHeaders = z.infer<typeof TargetHeaders>;

export const CheckRequest = z.object({
  url: z.string(),
  preview: z._default(z.boolean(), false),
  headers: z._default(TargetHeaders, {}),
});
export type CheckRequest = z.infer<typeof CheckRequest>;

export const Verdict = z.enum(["ship", "ship_with_warnings", "do_not_ship", "inconclusive"]);
export type Verdict = z.infer<typeof Verdict>;

export const FindingStatus = z.enum([
  "pass",
  "partial",
  "fail",
  "unknown",
  "not_applicable",
  "blocked",
]);
export type FindingStatus = z.infer<typeof FindingStatus>;

export const CategoryId = z.enum([
  "reach",
  "tls",
  "redirects",
  "headers",
  "cookies",
  "html",
  "assets",
  "performance",
]);
export type CategoryId = z.infer<typeof CategoryId>;

/**
 * `evidence` is what was found, `why` the reason why it matters (empty where no points are lost). `fixLine` holds the
 * headers, elements or commands to paste, one a line, or is null. `docsUrl` is a path on the server; `blockedBy` is the id of
 * the failed finding that left nothing to assess.
 */
export const Finding = z.object({
  id: z.string(),
  category: CategoryId,
  status: FindingStatus,
  earned: z.number().check(z.gte(0)),
  points: z.number().check(z.gte(0)),
  title: z.string(),
  evidence: z.string(),
  // Results saved by older versions have none.
  why: z._default(z.string(), ""),
  fix: z.string(),
  fixLine: z.nullable(z.string()),
  docsUrl: z.string(),
  blockedBy: z.optional(z.string()),
});
export type Finding = z.infer<typeof Finding>;

export const Cap = z.object({ findingId: z.string(), limit: z.int(), reason: z.string() });
export type Cap = z.infer<typeof Cap>;

export const Category = z.object({ id: CategoryId, earned: z.number(), points: z.number() });
export type Category = z.infer<typeof Category>;

const Score = z.int().check(z.gte(0), z.lte(100));

/** The same evidence gives the same bytes. */
export const CheckResult = z.object({
  score: Score,
  scoreRange: z.object({ min: Score, max: Score }),
  coverage: z.int().check(z.gte(0), z.lte(100)),
  verdict: Verdict,
  ruleset: z.string(),
  caps: z.array(Cap),
  categories: z.array(Category),
  findings: z.array(Finding),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** The timings of the request for the page itself. A step that was not reached is null. */
export const Timings = z.object({
  dnsMs: z.nullable(z.number()),
  connectMs: z.nullable(z.number()),
  tlsMs: z.nullable(z.number()),
  firstByteMs: z.nullable(z.number()),
  downloadMs: z.nullable(z.number()),
});
export type Timings = z.infer<typeof Timings>;

export const Check = z.object({
  id: z.string(),
  url: z.string(),
  finalUrl: z.string(),
  preview: z.boolean(),
  ...CheckResult.shape,
  timings: Timings,
  checkedAt: z.iso.datetime(),
  durationMs: z.number(),
  quota: Quota,
});
export type Check = z.infer<typeof Check>;

/** Checks of deployments and scans have no quota. */
export const UncountedCheck = z.omit(Check, { quota: true });
export type UncountedCheck = z.infer<typeof UncountedCheck>;
