import type { Recorder } from "../db/actors.ts";
import { findActorsProject } from "../db/roles.ts";
import type { Deps } from "../deps.ts";
import { refuseUrl } from "../errors.ts";
import type { RefusalCode } from "../evidence/failure.ts";
import { requireRight } from "./rights.ts";

/**
 * Refusals that may pass: a name that does not resolve now may do so later, and until then it counts as an incident.
 */
const PASSING: ReadonlySet<RefusalCode> = new Set(["not_found", "dns_failure", "dns_timeout"]);

/** Throws `url_refused` for a URL that no verification would ever visit. */
export async function requireVerifiable({ probe, stopping }: Deps, url: string): Promise<void> {
  const { vetting, close } = await probe.vet(url, stopping);
  close();
  if (vetting.ok || PASSING.has(vetting.refusal.code)) return;
  throw refuseUrl(vetting.refusal);
}

/**
 * Requires first that the actor may change the project, then that a verification could visit the URL; so nobody can have
 * URLs vetted for somebody else's project. Throws `project_not_found`, `owner_only`, `url_refused`. Vetting takes time, so
 * the statement that changes the project checks the actor again.
 */
export async function requireVerifiableOfProject(
  deps: Deps,
  actor: Recorder,
  projectId: string,
  url: string,
): Promise<void> {
  const project = await findActorsProject(deps.database.sql, actor, projectId);
  requireRight(project, "change", { projectId });
  await requireVerifiable(deps, url);
}
