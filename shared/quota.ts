import * as z from "zod/mini";
import { readDictionary, writeDictionary } from "./dictionary.ts";

export const Quota = z.object({
  used: z.int().check(z.gte(0)),
  limit: z.int().check(z.gte(0)),
  remaining: z.int().check(z.gte(0)),
});
export type Quota = z.infer<typeof Quota>;

/** After a change to a smaller plan, `used` may exceed `limit`; `remaining` is then 0. */
export function quotaOf(used: number, limit: number): Quota {
  return { used, limit, remaining: Math.max(0, limit - used) };
}

/** On GET /projects: `used=12, limit=300`. */
export const QUOTA_HEADER = "X-Shipscore-Quota";

export const writeQuotaHeader = ({ used, limit }: Quota): string =>
  writeDictionary({ used, limit });

export function readQuotaHeader(text: string | undefined): Quota | undefined {
  const { used, limit } = readDictionary(text ?? "") ?? {};
  return typeof used === "number" && typeof limit === "number" ? quotaOf(used, limit) : undefined;
}
