import * as z from "zod/mini";

/** The month's quota of an account: slots used, the plan's limit, and what is left (never below 0). */
export const Quota = z.object({
  used: z.int().check(z.gte(0)),
  limit: z.int().check(z.gte(0)),
  remaining: z.int().check(z.gte(0)),
});
export type Quota = z.infer<typeof Quota>;
