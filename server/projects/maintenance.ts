import * as z from "zod";
import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import {
  endWindow,
  findWindow,
  getNow,
  insertWindow,
  MAX_WINDOWS,
  type Window,
} from "../db/watching/maintenance.ts";
import { listWatchedUrls } from "../db/watching/watched-urls.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault, type InputFault } from "../base/input-faults.ts";
import { nextPeriod, WEEKDAYS, type Period } from "../base/syntax/local-time.ts";
import { Note, readPeriod, Zone } from "./typed-times.ts";
import { changeProject, requireChangeable } from "./rights.ts";

const HOUR_SHAPE = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** `from` and `to` are times or, if `weekly` is set, hours such as `02:30`. Without a `zone`, they are in UTC. */
export const TypedWindow = z.object({
  from: z.string(),
  to: z.string(),
  zone: Zone.optional(),
  weekly: z
    .string()
    .transform((text) =>
      WEEKDAYS.find((day) => text.length > 1 && day.startsWith(text.toLowerCase())),
    )
    .refine((day) => day !== undefined, fault("weekday_unknown"))
    .optional(),
  urls: z.array(z.string()).default([]),
  note: Note.optional(),
});
export type TypedWindow = z.infer<typeof TypedWindow>;

const refusal = (what: InputFault, value: string) =>
  new AppError("input_invalid", { fault: what, value });

function findPeriod({ from, to, zone, weekly }: TypedWindow, now: Date): Period {
  if (weekly !== undefined) {
    for (const time of [from, to]) if (!HOUR_SHAPE.test(time)) throw refusal("hour_invalid", time);
    if (from === to) throw refusal("window_empty", to);
    return nextPeriod({ day: weekly, from, to }, zone ?? null, now);
  }
  const period = readPeriod({ from, to }, { zone, now });
  if (period.to <= period.from || period.to <= now) throw refusal("window_empty", to);
  return period;
}

/** Throws `project_not_found`, `owner_only`, `input_invalid`, `url_not_watched`, `too_many_windows`. */
export const addWindow = (deps: Deps, actor: Manager, projectId: string, typed: TypedWindow) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    const { from, to, zone = null, weekly: day, urls, note = null } = typed;
    const period = findPeriod(typed, await getNow(sql));
    const watched = await listWatchedUrls(sql, projectId);
    if (urls.some((url) => !watched.includes(url)))
      throw new AppError("url_not_watched", { projectId });
    const id = newId("mnt");
    const weekly = day === undefined ? null : { day, from, to };
    const window = {
      ...period,
      id,
      projectId,
      zone,
      weekly,
      note,
      urls: urls.length === 0 ? null : [...new Set(urls)],
    };
    if (!(await insertWindow(sql, window)))
      throw new AppError("too_many_windows", { projectId, limit: MAX_WINDOWS });
    await insertEvent(sql, actor, { action: "maintenance.added", projectId, details: { id } });
    return id;
  });

/** Throws `maintenance_not_found`, `owner_only`. */
async function changeWindow(
  deps: Deps,
  actor: Manager,
  id: string,
  kind: "maintenance.ended" | "maintenance.removed",
  change: (sql: Sql, window: Window) => Promise<void>,
): Promise<void> {
  const gone = () => new AppError("maintenance_not_found", { id });
  const reading = deps.database.sql;
  const found = await findWindow(reading, id);
  const { projectId } = await requireChangeable(reading, actor, found, gone);
  await changeProject(deps, actor, "change", projectId, async (sql) => {
    const window = await findWindow(sql, id);
    if (window === undefined) throw gone();
    await change(sql, window);
    await insertEvent(sql, actor, { action: kind, projectId, details: { id } });
  });
}

/** Ends a running window now, or skips the next occurrence. Throws `maintenance_not_found`, `maintenance_over`, `owner_only`. */
export const endMaintenance = (deps: Deps, actor: Manager, id: string) =>
  changeWindow(deps, actor, id, "maintenance.ended", async (sql, window) => {
    if (window.state === "over") throw new AppError("maintenance_over", { id });
    await endWindow(
      sql,
      window,
      window.weekly && nextPeriod(window.weekly, window.zone, window.to),
    );
  });

/** Also ends all future occurrences of a weekly window. Throws `maintenance_not_found`, `owner_only`. */
export const removeMaintenance = (deps: Deps, actor: Manager, id: string) =>
  changeWindow(deps, actor, id, "maintenance.removed", (sql, window) =>
    endWindow(sql, window, null),
  );
