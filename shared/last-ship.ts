import * as z from "zod/mini";
import { Verdict } from "./check.ts";

/**
 * Files with a hash in their name that the previous production deployment loaded and this one does not. `answered`: how
 * many of the `tried` ones the site still serves.
 */
export const PreviousFiles = z.object({ tried: z.int(), answered: z.int() });
export type PreviousFiles = z.infer<typeof PreviousFiles>;

/** The last five fields are null until the check is finished. `previousFiles` is also null if none was requested. */
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
  previousFiles: z.nullish(PreviousFiles),
});
export type LastShip = z.infer<typeof LastShip>;

export const LastShipResponse = z.object({ lastShip: z.nullable(LastShip) });
export type LastShipResponse = z.infer<typeof LastShipResponse>;
