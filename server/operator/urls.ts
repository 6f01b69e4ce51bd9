import type { Deps } from "../deps.ts";
import type { RefusalCode } from "../evidence/evidence.ts";
import { describeRefusal } from "../words/refusals.ts";
import { refuse } from "./operation.ts";

/** A name that does not resolve now may do so later, and its absence is an incident to be seen. */
const PASSING: ReadonlySet<RefusalCode> = new Set(["not_found", "dns_failure", "dns_timeout"]);

/** Refuses a URL that no verification would ever visit. */
export async function requireVerifiable(deps: Deps, url: string): Promise<void> {
  const visit = await deps.probe.vet(url, deps.stopping);
  visit.close();
  if (visit.vetting.ok || PASSING.has(visit.vetting.refusal.code)) return;
  throw refuse(describeRefusal(visit.vetting.refusal).en);
}
