import { endWindow, hasEnded, lockEnded } from "../db/watching/maintenance.ts";
import type { Deps } from "../deps.ts";
import { nextPeriod } from "../base/syntax/local-time.ts";

/** Uses one transaction per window. A transaction with two windows could deadlock with stored results, which lock URLs in order. */
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
