import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { Look } from "../judge/look.ts";
import { verify } from "../verify/verify.ts";

const SECOND_TRY_MS = 1000;

async function visitUrl(deps: Deps, url: string): Promise<Look> {
  const visit = await deps.probe.vet(url, deps.stopping);
  try {
    const request = { url, preview: false, headers: {} };
    return await verify(deps, "cycle", visit, { request });
  } finally {
    visit.close();
  }
}

/** Looks at a URL: one try and, if that fails, a second one a second later. A fault of our own is inconclusive. */
export async function lookAt(deps: Deps, url: string): Promise<Look> {
  try {
    const first = await visitUrl(deps, url);
    if (first.outcome !== "failed") return first;
    await sleep(SECOND_TRY_MS, undefined, { signal: deps.stopping });
    return await visitUrl(deps, url);
  } catch (error) {
    if (!deps.stopping.aborted) deps.log.warn({ err: error }, "look not finished");
    return { outcome: "inconclusive", reason: null, score: null };
  }
}
