import * as z from "zod";
import { UncountedCheck } from "./check.ts";

/** The form and programs send it. An optional field with a wrong value is ignored. */
export const ScanRequest = z.object({
  url: z.string(),
  /** A person typed the URL, so its scheme may be missing. */
  typed: z.literal("1").optional().catch(undefined),
  again: z
    .unknown()
    .transform((again) => again === true || again === "1" || again === 1)
    .optional(),
});
export type ScanRequest = z.infer<typeof ScanRequest>;

/** `url` is masked; `statusUrl` is a path. */
export const StartedScanBody = z.object({
  id: z.string(),
  url: z.string(),
  statusUrl: z.string(),
});
export type StartedScanBody = z.infer<typeof StartedScanBody>;

export const ScanBody = z.object({
  id: z.string(),
  url: z.string(),
  state: z.enum(["waiting", "running", "done", "failed"]),
  position: z.number().optional(),
  check: z.optional(UncountedCheck),
});
export type ScanBody = z.infer<typeof ScanBody>;
