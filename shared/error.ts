import * as z from "zod/mini";
import { Quota } from "./quota.ts";

/** The body of every error: one sentence in French; only a 429 has `quota`. */
export const ApiError = z.object({
  error: z.string(),
  quota: z.optional(Quota),
});
export type ApiError = z.infer<typeof ApiError>;
