import type { FastifyInstance } from "fastify";
import { AppError, isAppError } from "../../../base/errors.ts";
import type { InputFault } from "../../../base/input-fault.ts";
import type { Deps } from "../../../deps.ts";
import {
  addWindow,
  endMaintenance,
  removeMaintenance,
  TypedWindow,
} from "../../../projects/maintenance.ts";
import { refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { NOT_WATCHED, TOO_MANY_WINDOWS, WINDOW_FAULTS } from "./maintenance-words.ts";
import { ownForms } from "./own-forms.ts";

/** What was typed into the form. Throws `input_invalid`. */
function readWindow({
  kind,
  from = "",
  to = "",
  zone,
  weekly,
  urls = "",
  note,
}: Fields): TypedWindow {
  const { data, error } = TypedWindow.safeParse({
    from,
    to,
    zone: zone || "UTC",
    weekly: kind === "once" ? undefined : weekly || undefined,
    urls: urls
      .split(/\r\n?|\n/)
      .map((url) => url.trim())
      .filter((url) => url !== ""),
    note,
  });
  if (data) return data;
  throw new AppError("input_invalid", { fault: error.issues[0]?.message ?? "", value: "" });
}

/** The text at the refused form. Throws any error that is not about the form. */
function describeWindowError(error: unknown): Refused {
  if (isAppError(error, "url_not_watched")) return refuse({ urls: NOT_WATCHED });
  if (isAppError(error, "too_many_windows")) return refuse({ from: TOO_MANY_WINDOWS });
  const fault = isAppError(error, "input_invalid")
    ? WINDOW_FAULTS[error.parameters.fault as InputFault]
    : undefined;
  if (fault === undefined) throw error;
  return refuse({ [fault.field]: fault.text });
}

/** The maintenance windows of a project, as its owner plans them. */
export function maintenanceRoutes(door: FastifyInstance, deps: Deps): void {
  const take = ownForms(door, deps, "maintenance");
  take(
    "",
    async ({ actor, project, fields }) => addWindow(deps, actor, project.id, readWindow(fields)),
    { describe: describeWindowError },
  );
  take("/end", ({ actor, fields: { window = "" } }) => endMaintenance(deps, actor, window));
  take("/remove", ({ actor, fields: { window = "" } }) => removeMaintenance(deps, actor, window));
}
