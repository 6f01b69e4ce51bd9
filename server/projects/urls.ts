import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { RefusalCode } from "../evidence/failure.ts";

/** A name that does not resolve now may do so later, and its absence is an incident to be seen. */
const PASSING: ReadonlySet<RefusalCode> = new Set(["not_found", "dns_failure", "dns_timeout"]);

/** Refuses a URL that no verification would ever visit. Throws `url_refused`. */
export async function requireVerifiable({ probe, stopping }: Deps, url: string): Promise<void> {
  const { vetting, close } = await probe.vet(url, stopping);
  close();
  if (vetting.ok || PASSING.has(vetting.refusal.code)) return;
  const { code, host } = vetting.refusal;
  throw new AppError("url_refused", { code, host });
}
