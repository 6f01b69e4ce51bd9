import * as z from "zod/mini";

/** `reason` is one sentence in the reader's language. */
export const Incident = z.object({
  id: z.string(),
  url: z.string(),
  since: z.iso.datetime(),
  reason: z.string(),
  lastCheckedAt: z.iso.datetime(),
});
export type Incident = z.infer<typeof Incident>;

export const IncidentList = z.object({ incidents: z.array(Incident) });
export type IncidentList = z.infer<typeof IncidentList>;
