import { setTimeout as sleep } from "node:timers/promises";
import type { CheckRequest } from "../../shared/check.ts";
import { admitCheck } from "../db/checks.ts";
import type { Deps } from "../deps.ts";
import type { Evidence } from "../probe/evidence.ts";
import type { Visit } from "../probe/probe.ts";
import { busy } from "./gate.ts";

const ADMISSION_WAIT_MS = 5000;
const POLL_MS = 200;

/** Who verifies: `check` for POST /check, `look` for the recurring cycle, `deployment` for a ship. */
export type VerificationKind = "check" | "look" | "deployment";

/** The row of `checks` under which a host's bounds are counted; the cycle's looks have none. */
export interface CountedRow {
  id: string;
  accountId: string | null;
}

/**
 * The one verification behind every door: a place in this process, the host's bounds, then the visit.
 * Throws `busy` when either is not free within 5 s.
 */
export async function verify(
  deps: Deps,
  kind: VerificationKind,
  visit: Visit,
  request: CheckRequest,
  row?: CountedRow,
): Promise<Evidence> {
  const leave = await deps.checks.enter("");
  const end = deps.metrics.checkSeconds.startTimer({ kind });
  try {
    if (row && !visit.exempt) await admit(deps, visit.host, row);
    return await deps.probe.run(visit, request, deps.stopping);
  } finally {
    end();
    leave();
  }
}

/**
 * Waits until the host's bounds let the check in. An account's checks of one host ask one after the other: if all that
 * wait asked at once, they would hold every connection to the database on the lock of that host's row.
 */
async function admit({ admissions, database, stopping }: Deps, host: string, row: CountedRow) {
  const deadline = Date.now() + ADMISSION_WAIT_MS;
  const leave = await admissions.enter(`${row.accountId} ${host}`);
  try {
    while (!(await admitCheck(database, { ...row, host }))) {
      if (Date.now() >= deadline) throw busy();
      await sleep(POLL_MS, undefined, { signal: stopping });
    }
  } finally {
    leave();
  }
}
