import * as z from "zod/mini";
import { Verdict } from "./check.ts";

/** The last four fields are null until the check is finished. */
export const LastShip = z.object({
  id: z.string(),
  url: z.string(),
  environment: z.literal("production"),
  commit: z.nullable(z.string()),
  ref: z.nullable(z.string()),
  deployedAt: z.iso.datetime(),
  score: z.nullable(z.int().check(z.gte(0), z.lte(100))),
  verdict: z.nullable(Verdict),
  ruleset: z.nullable(z.string()),
  checkId: z.nullable(z.string()),
});
export type LastShip = z.infer<typeof LastShip>;

export const LastShipResponse = z.object({ lastShip: z.nullable(LastShip) });
export type LastShipResponse = z.infer<typeof LastShipResponse>;
