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
import { fieldsOf, refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { NOT_WATCHED, TOO_MANY_WINDOWS, WINDOW_FAULTS } from "./maintenance-words.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendRefused } from "./settings-page.tsx";

const PATH = pathOfSettings(":id", "maintenance");

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
  door.post(PATH, formOn("maintenance"), async (request: OfProject, reply) => {
    const { id } = await requireOwn(deps, request);
    try {
      await addWindow(deps, getSignedIn(request).actor, id, readWindow(fieldsOf(request)));
    } catch (error) {
      return sendRefused(deps, request, reply, describeWindowError(error));
    }
    return leadBack(request, reply);
  });

  for (const [action, act] of [
    ["end", endMaintenance],
    ["remove", removeMaintenance],
  ] as const)
    door.post(`${PATH}/${action}`, formOn("maintenance"), async (request: OfProject, reply) => {
      await requireOwn(deps, request);
      const { window = "" } = fieldsOf(request);
      await act(deps, getSignedIn(request).actor, window);
      return leadBack(request, reply);
    });
}
