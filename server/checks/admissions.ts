import { HOST_BOUNDS } from "../base/bounds.ts";
import { admitChecks } from "../db/checks/checks.ts";
import type { CheckKind } from "../engine/finished.ts";
import type { Sql } from "../db/driver/sql.ts";
import { busy } from "./semaphore.ts";

/** The row of `checks` by which a host's bounds are counted. */
export interface CountedRow {
  id: string;
  kind: CheckKind;
  accountId: string | null;
  /** `performance.now()` before its lease began. */
  leasedAt: number;
}

/** Where checks wait until the bounds of their host admit them. */
export interface Admissions {
  /**
   * Resolves when the check is admitted, with its renewed lease. Throws `busy` at the deadline, a signal's reason if it
   * aborts meanwhile (`signal`, or the one of the server), and errors of the database.
   */
  admit(host: string, row: CountedRow, deadline: number, signal?: AbortSignal): Promise<CountedRow>;
}

interface Applicant {
  readonly row: CountedRow;
  readonly deadline: number;
  admit(leasedAt: number): void;
  refuse(error: unknown): void;
}

/** The checks that wait for one host, in order of arrival. */
interface Desk {
  readonly waiting: Set<Applicant>;
  /** Whose checks were not admitted the last time. */
  refused: ReadonlySet<string>;
  /** Ends the pause before the next question to the database. */
  wake(): void;
}

const PAUSE_MS = 200;
/** Most checks of one asker in a single call; never more are admitted at the same time. */
const ASKED_OF_ONE = HOST_BOUNDS.all.atOnce;

/**
 * Each host has one loop, which asks for all of its checks that are waiting in this process. The database locks the
 * host's row while it counts, so concurrent calls would hold connections and wait for each other.
 */
export function createAdmissions(sql: Sql, leaseMs: number, stopping: AbortSignal): Admissions {
  const desks = new Map<string, Desk>();

  function openDesk(host: string): Desk {
    const desk: Desk = { waiting: new Set(), refused: new Set(), wake: () => {} };
    desks.set(host, desk);
    queueMicrotask(() => void serve(host, desk));
    return desk;
  }

  async function serve(host: string, desk: Desk): Promise<void> {
    while (desk.waiting.size > 0) {
      await ask(host, desk);
      if (![...desk.waiting].some((one) => isNews(desk, one))) await pause(desk);
    }
    desks.delete(host);
  }

  async function ask(host: string, desk: Desk): Promise<void> {
    const present = [...desk.waiting];
    const asked = chooseAsked(present);
    const askedAt = performance.now();
    try {
      const ids = await admitChecks(
        sql,
        host,
        asked.map(({ row }) => row.id),
        HOST_BOUNDS,
        leaseMs,
      );
      const admitted = new Set(ids);
      for (const one of asked) if (admitted.has(one.row.id)) one.admit(askedAt);
      const now = performance.now();
      for (const one of present) if (now >= one.deadline) one.refuse(busy());
    } catch (error) {
      for (const one of present) one.refuse(error);
    }
    const left = asked.filter((one) => desk.waiting.has(one));
    desk.refused = new Set(left.map(askerOf));
  }

  stopping.addEventListener("abort", () => {
    for (const desk of desks.values()) {
      for (const one of desk.waiting) one.refuse(stopping.reason);
      desk.wake();
    }
  });

  return {
    async admit(host, row, deadline, signal) {
      stopping.throwIfAborted();
      signal?.throwIfAborted();
      const desk = desks.get(host) ?? openDesk(host);
      let giveUp = (): void => {};
      const admitted = new Promise<CountedRow>((resolve, reject) => {
        const leave = () => desk.waiting.delete(applicant);
        const applicant: Applicant = {
          row,
          deadline,
          admit: (leasedAt) => leave() && resolve({ ...row, leasedAt }),
          refuse: (error) => leave() && reject(error),
        };
        desk.waiting.add(applicant);
        if (isNews(desk, applicant)) desk.wake();
        giveUp = () => applicant.refuse(signal?.reason);
        signal?.addEventListener("abort", giveUp);
      });
      return admitted.finally(() => signal?.removeEventListener("abort", giveUp));
    },
  };
}

/** Whose turn it is when a check is admitted: an account's, or that of all scans or of all deployments. */
const askerOf = ({ row: { kind, accountId } }: Applicant) => accountId ?? kind;

/** True for the first waiting check of an asker; later ones are asked for after the pause. */
function isNews(desk: Desk, applicant: Applicant): boolean {
  return !desk.refused.has(askerOf(applicant));
}

function pause(desk: Desk): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    desk.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function chooseAsked(waiting: readonly Applicant[]): Applicant[] {
  const counts = new Map<string, number>();
  return waiting.filter((applicant) => {
    const asker = askerOf(applicant);
    const count = (counts.get(asker) ?? 0) + 1;
    counts.set(asker, count);
    return count <= ASKED_OF_ONE;
  });
}
