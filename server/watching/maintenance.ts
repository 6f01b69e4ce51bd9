import { endWindow, hasEnded, lockEnded } from "../db/watching/maintenance.ts";
import type { Deps } from "../deps.ts";
import { nextPeriod } from "../base/syntax/local-time.ts";

/** Ends the maintenance windows whose time is over; those that come again go on with their next time. */
export async function endMaintenance({ database }: Pick<Deps, "database">): Promise<void> {
  const endSome = () =>
    database.begin(async (sql) => {
      const ended = await lockEnded(sql);
      for (const window of ended) {
        const { weekly, zone, now } = window;
        await endWindow(sql, window, weekly && nextPeriod(weekly, zone, now));
      }
      return ended.length;
    });
  while ((await hasEnded(database.sql)) && (await endSome()) > 0);
}
