import { endWindow, hasEnded, lockEnded } from "../db/watching/maintenance.ts";
import type { Deps } from "../deps.ts";
import { nextPeriod } from "../base/syntax/local-time.ts";

/**
 * Ends the maintenance windows that are over; weekly ones move to their next time. Each window has its own transaction,
 * which locks its URLs in order. Two windows in one transaction would lock them out of order and deadlock with stored
 * results.
 */
export async function endMaintenance({ database }: Pick<Deps, "database">): Promise<void> {
  const endNext = () =>
    database.begin(async (sql) => {
      const window = await lockEnded(sql);
      if (window === undefined) return false;
      const { weekly, zone, now } = window;
      await endWindow(sql, window, weekly && nextPeriod(weekly, zone, now));
      return true;
    });
  while ((await hasEnded(database.sql)) && (await endNext()));
}
