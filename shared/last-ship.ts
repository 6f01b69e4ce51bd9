import * as z from "zod";
import { Verdict } from "./check.ts";

/** The latest production deployment; its last four fields are null until its verification ends. */
export const LastShip = z.object({
  id: z.string(),
  url: z.string(),
  environment: z.literal("production"),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  deployedAt: z.iso.datetime(),
  score: z.int().min(0).max(100).nullable(),
  verdict: Verdict.nullable(),
  ruleset: z.string().nullable(),
  checkId: z.string().nullable(),
});
export type LastShip = z.infer<typeof LastShip>;

export const LastShipResponse = z.object({ lastShip: LastShip.nullable() });
export type LastShipResponse = z.infer<typeof LastShipResponse>;
