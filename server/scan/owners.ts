import { findOwnerAnswer, keepOwnerAnswer } from "../db/scans/owner-answers.ts";
import type { Deps } from "../deps.ts";
import { OWNER_TIMEOUT_MS } from "../base/bounds.ts";
import { AppError } from "../base/errors.ts";
import type { VettedUrl } from "../engine/net/vet.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import { OWNERS_AN_HOUR } from "./scan-state.ts";

/** The thread may have to start first, which takes seconds on a busy machine. */
const LATENESS_MS = 7000;
const DAY_SECONDS = 86_400;
/** After a failure the owner is asked again this soon. */
const FAILED_SECONDS = 300;

type Asking = Pick<Deps, "database" | "threads" | "scanState" | "stopping" | "log">;

/** Asks the files and keeps the answer: the one that refuses public scans, or null, also if the thread was lost. */
async function askFiles(
  deps: Asking,
  { known }: VettedUrl,
  origin: string,
): Promise<string | null> {
  const task = { kind: "owner", order: { askOwnerOf: `${origin}/` }, known } as const;
  const options = { owner: origin, maxMs: OWNER_TIMEOUT_MS + LATENESS_MS, signal: deps.stopping };
  const answer = await deps.threads.run(task, options).then(
    ({ result }) => result,
    (error: unknown) => {
      if (!(error instanceof Interrupted)) throw error;
      deps.log.error({ err: error, origin }, "owner not asked");
      return { refusedIn: null, isFinal: false };
    },
  );
  const seconds = answer.isFinal ? DAY_SECONDS : FAILED_SECONDS;
  await keepOwnerAnswer(deps.database.sql, origin, answer.refusedIn, seconds);
  return answer.refusedIn;
}

/** Asks once for all who wait; throws `scan_visitor_bound` for a visitor who has had too many owners asked. */
function askOnce(deps: Asking, vetted: VettedUrl, origin: string, visitor: string) {
  const { owners, allowance } = deps.scanState;
  const asked = owners.get(origin);
  if (asked) return asked;
  const retryAfterSeconds = allowance.take(visitor);
  if (retryAfterSeconds > 0) {
    const limit = OWNERS_AN_HOUR;
    throw new AppError("scan_visitor_bound", { bound: "owners", limit, retryAfterSeconds });
  }
  const asking = askFiles(deps, vetted, origin).finally(() => owners.delete(origin));
  owners.set(origin, asking);
  return asking;
}

/**
 * Throws `scan_refused_by_owner` if the owner of a vetted visit's origin refuses public scans: in
 * `/.well-known/shipscore.txt`, or in a group of `/robots.txt` that names shipscore. Both are asked for once a day, over
 * all servers, or after 5 minutes if they could not be had. An owner who does not answer refuses nothing. Throws
 * `scan_visitor_bound` for a visitor who has had too many owners asked here.
 */
export async function askOwner(deps: Asking, vetted: VettedUrl, visitor: string): Promise<void> {
  if (!vetted.vetting.ok) return;
  const { host, url } = vetted.vetting.target;
  const stored = await findOwnerAnswer(deps.database.sql, url.origin);
  const file = stored ? stored.refusedIn : await askOnce(deps, vetted, url.origin, visitor);
  if (file !== null) throw new AppError("scan_refused_by_owner", { host, file });
}
