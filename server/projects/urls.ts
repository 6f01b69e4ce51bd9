import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { RefusalCode } from "../evidence/failure.ts";

/**
 * Refusals that may pass: a name that does not resolve now may do so later, and until then it counts as an incident.
 */
const PASSING: ReadonlySet<RefusalCode> = new Set(["not_found", "dns_failure", "dns_timeout"]);

/** Throws `url_refused` for a URL that no verification would ever visit. */
export async function requireVerifiable({ probe, stopping }: Deps, url: string): Promise<void> {
  const { vetting, close } = await probe.vet(url, stopping);
  close();
  if (vetting.ok || PASSING.has(vetting.refusal.code)) return;
  const { code, host } = vetting.refusal;
  throw new AppError("url_refused", { code, host });
}
