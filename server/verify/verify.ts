import { setTimeout as sleep } from "node:timers/promises";
import { admitCheck } from "../db/checks.ts";
import type { Deps } from "../deps.ts";
import type { Visit } from "../probe/probe.ts";
import { busy } from "./gate.ts";
import type { Orders, Results, VerificationKind } from "./judge.ts";

const ADMISSION_WAIT_MS = 5000;
const POLL_MS = 200;

/** The row of `checks` under which a host's bounds are counted; the cycle's looks have none. */
export interface CountedRow {
  id: string;
  accountId: string | null;
}

/**
 * The one verification behind every door: a place in this process, the host's bounds, then the visit, in a thread.
 * Throws `busy` when both are not free within 5 s.
 */
export async function verify<Kind extends VerificationKind>(
  deps: Deps,
  kind: Kind,
  visit: Visit,
  order: Orders[Kind],
  row?: CountedRow,
): Promise<Results[Kind]> {
  const deadline = Date.now() + ADMISSION_WAIT_MS;
  const leave = await deps.checks.enter("");
  const end = deps.metrics.checkSeconds.startTimer({ kind });
  try {
    if (row && !visit.exempt) await admit(deps, visit.host, row, deadline);
    return await deps.threads.run(kind, order, visit.known, deps.stopping);
  } finally {
    end();
    leave();
  }
}

/**
 * Waits until the host's bounds let the check in. An account's checks of one host ask one after the other: if all that
 * wait asked at once, they would hold every connection to the database on the lock of that host's row.
 */
async function admit(
  { admissions, database, stopping }: Deps,
  host: string,
  row: CountedRow,
  deadline: number,
): Promise<void> {
  const leave = await admissions.enter(`${row.accountId} ${host}`, deadline - Date.now());
  try {
    while (!(await admitCheck(database, { ...row, host }))) {
      if (Date.now() >= deadline) throw busy();
      await sleep(POLL_MS, undefined, { signal: stopping });
    }
  } finally {
    leave();
  }
}
