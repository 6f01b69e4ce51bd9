import * as z from "zod/mini";
import { Quota } from "./quota.ts";

/** The body of every error: one sentence in French; `quota` where the month's quota is used up. */
export const ApiError = z.object({
  error: z.string(),
  quota: z.optional(Quota),
});
export type ApiError = z.infer<typeof ApiError>;
