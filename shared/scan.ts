import * as z from "zod";
import { UncountedCheck } from "./check.ts";

/** What a page's field or a program asks of the public scan. A field that does not fit counts as not given. */
export const ScanRequest = z.object({
  url: z.string(),
  /** The URL is what a person typed, which may lack its scheme. */
  typed: z.literal("1").optional().catch(undefined),
  again: z
    .unknown()
    .transform((again) => again === true || again === "1" || again === 1)
    .optional(),
});
export type ScanRequest = z.infer<typeof ScanRequest>;

/** The answer to a program that started a scan: the masked URL, and the path that tells how far it is. */
export const StartedScanBody = z.object({
  id: z.string(),
  url: z.string(),
  statusUrl: z.string(),
});
export type StartedScanBody = z.infer<typeof StartedScanBody>;

/** How far a scan is: its position while it waits, its check once it is done. */
export const ScanBody = z.object({
  id: z.string(),
  url: z.string(),
  state: z.enum(["waiting", "running", "done", "failed"]),
  position: z.number().optional(),
  check: z.optional(UncountedCheck),
});
export type ScanBody = z.infer<typeof ScanBody>;
