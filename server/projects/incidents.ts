import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent, type Action } from "../db/accounts/events.ts";
import { rescheduleMessages } from "../db/alerts/outbox.ts";
import type { Sql } from "../db/driver/sql.ts";
import { findIncident, updateIncident, type FoundIncident } from "../db/watching/incidents.ts";
import { getNow } from "../db/watching/maintenance.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { changeProject, requireChangeable } from "./rights.ts";

/** Throws `incident_not_found`, `owner_only`. */
async function changeIncident(
  deps: Deps,
  actor: Manager,
  id: string,
  action: Extract<Action, `incident.${string}`>,
  change: (sql: Sql, incident: FoundIncident) => Promise<void>,
): Promise<void> {
  const reading = deps.database.sql;
  const gone = () => new AppError("incident_not_found", { id });
  const found = await requireChangeable(reading, actor, await findIncident(reading, id), gone);
  const { projectId } = found;
  await changeProject(deps, actor, "change", projectId, async (sql) => {
    await change(sql, (await findIncident(sql, id)) ?? found);
    await insertEvent(sql, actor, { action, projectId, details: { incidentId: id } });
  });
}

const requireOpen = ({ id, isOpen }: FoundIncident) => {
  if (!isOpen) throw new AppError("incident_closed", { id });
};

/** Stops the reminders. Throws `incident_not_found`, `incident_closed`, `owner_only`. */
export const acknowledgeIncident = (deps: Deps, actor: Manager, id: string, note: string | null) =>
  changeIncident(deps, actor, id, "incident.acknowledged", async (sql, incident) => {
    requireOpen(incident);
    await updateIncident(sql, id, { acknowledgedBy: actor.accountId ?? actor.by, note });
    await rescheduleMessages(sql, id);
  });

/**
 * `untilOf` returns the end of the silence; the current time ends a silence immediately. Throws `incident_not_found`, `incident_closed`,
 * `input_invalid`, `owner_only`.
 */
export const silenceIncident = (
  deps: Deps,
  actor: Manager,
  id: string,
  untilOf: (now: Date) => Date,
) =>
  changeIncident(deps, actor, id, "incident.silenced", async (sql, incident) => {
    requireOpen(incident);
    const now = await getNow(sql);
    const until = untilOf(now);
    if (until < now)
      throw new AppError("input_invalid", { fault: "time_past", value: until.toISOString() });
    await updateIncident(sql, id, { silencedUntil: until });
    await rescheduleMessages(sql, id);
  });

/** Throws `incident_not_found`, `owner_only`. */
export const publishNote = (deps: Deps, actor: Manager, id: string, publicNote: string | null) =>
  changeIncident(deps, actor, id, "incident.published", (sql) =>
    updateIncident(sql, id, { publicNote }),
  );
