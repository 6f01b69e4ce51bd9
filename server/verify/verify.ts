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
 * Throws `busy` when either is not free within 5 s.
 */
export async function verify<Kind extends VerificationKind>(
  deps: Deps,
  kind: Kind,
  visit: Visit,
  order: Orders[Kind],
  row?: CountedRow,
): Promise<Results[Kind]> {
  const leave = await deps.checks.enter("");
  const end = deps.metrics.checkSeconds.startTimer({ kind });
  try {
    const deadline = Date.now() + ADMISSION_WAIT_MS;
    while (
      row &&
      !visit.exempt &&
      !(await admitCheck(deps.database, { ...row, host: visit.host }))
    ) {
      if (Date.now() >= deadline) throw busy();
      await sleep(POLL_MS, undefined, { signal: deps.stopping });
    }
    return await deps.threads.run(kind, order, visit.known, deps.stopping);
  } finally {
    end();
    leave();
  }
}
