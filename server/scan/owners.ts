import { findOwnerAnswer, keepOwnerAnswer } from "../db/owner-answers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Visit } from "../net/vet.ts";
import { Interrupted } from "../verify/check-thread.ts";

const DAY_SECONDS = 86_400;
/** After a failure the owner is asked again this soon. */
const FAILED_SECONDS = 300;

type Asking = Pick<Deps, "database" | "threads" | "scanDesk" | "stopping" | "log">;

/** The file that refuses public scans of the origin; null also if the thread that asked was lost. */
async function askFiles(deps: Asking, { known }: Visit, origin: string): Promise<string | null> {
  const { sql } = deps.database;
  const stored = await findOwnerAnswer(sql, origin);
  if (stored) return stored.refusedIn;
  const question = { askOwnerOf: `${origin}/`, known };
  const answer = await deps.threads.askOwner(question, deps.stopping).catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
    deps.log.error({ err: error, origin }, "owner not asked");
    return { refusedIn: null, isFinal: false };
  });
  const seconds = answer.isFinal ? DAY_SECONDS : FAILED_SECONDS;
  await keepOwnerAnswer(sql, origin, answer.refusedIn, seconds);
  return answer.refusedIn;
}

/**
 * Throws `scan_refused_by_owner` if the owner of a vetted visit's origin refuses public scans: in
 * `/.well-known/shipscore.txt`, or in a group of `/robots.txt` that names shipscore. Both are asked for once a day, over
 * all servers, or after 5 minutes if they could not be had. An owner who does not answer refuses nothing.
 */
export async function askOwner(deps: Asking, visit: Visit): Promise<void> {
  if (!visit.vetting.ok) return;
  const { host, url } = visit.vetting.target;
  const { owners } = deps.scanDesk;
  const asked =
    owners.get(url.origin) ??
    askFiles(deps, visit, url.origin).finally(() => owners.delete(url.origin));
  owners.set(url.origin, asked);
  const file = await asked;
  if (file !== null) throw new AppError("scan_refused_by_owner", { host, file });
}
