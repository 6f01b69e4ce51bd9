import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { WantedAlert } from "../../../alerts/alerts.ts";
import { addAlert, editAlert, NewAlert, removeAlert, rotateAlert } from "../../../alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../../alerts/deliveries.ts";
import { findAlert, OCCASIONS } from "../../../db/alerts/alerts.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { fieldsOf, refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { EMAIL_INVALID } from "../../kit/session/name-words.ts";
import { sendAlert } from "./alert-page.tsx";
import { ALERT_PROBLEMS, ALERTS } from "./alerts-words.ts";
import { ownForms } from "./own-forms.ts";
import { leadTo, requireOfPath, requireOwn, type OfProject } from "./settings-forms.ts";
import { PROBLEMS } from "./settings-words.ts";

type OfAlert = FastifyRequest<{ Params: { id: string; alert: string } }>;

const PATH = "/projects/:id/alerts/:alert";
const ON_PAGE = { config: { formOn: PATH } };

/** What was typed into the form of an alert, or what is wrong with it. Throws `input_invalid` for what no form offers. */
function readAlert(fields: Fields): WantedAlert | Refused {
  const on = OCCASIONS.filter((occasion) => fields[occasion] === "on");
  if (on.length === 0) return refuse({ on: ALERT_PROBLEMS.noOccasion });
  const { kind, target = "", label = "", language = "fr" } = fields;
  const after = fields["after"] || null;
  const remind = fields["remind"] || null;
  const read = NewAlert.safeParse({
    kind,
    target,
    label,
    on: on.join(","),
    language,
    after,
    remind,
  });
  if (read.success) return read.data;
  const fault = read.error.issues[0]?.message ?? "";
  if (fault === "after_invalid") return refuse({ after: ALERT_PROBLEMS.after });
  if (fault === "remind_invalid") return refuse({ remind: ALERT_PROBLEMS.remind });
  if (fault === "alert_label_invalid") return refuse({ label: ALERT_PROBLEMS.label });
  throw new AppError("input_invalid", { fault, value: "" });
}

/** The text at the refused form. Throws any error that is not about the form. */
function describeAlertError(error: unknown): Refused {
  if (isAppError(error, "url_refused"))
    return refuse({ target: describeRefusal(error.parameters) });
  if (isAppError(error, "input_invalid")) return refuse({ target: EMAIL_INVALID });
  if (isAppError(error, "alert_needs_mail")) return refuse({ target: ALERT_PROBLEMS.noMail });
  if (isAppError(error, "secret_key_missing")) return refuse({ target: ALERT_PROBLEMS.noKey });
  if (isAppError(error, "too_many_alerts")) return refuse({ target: ALERT_PROBLEMS.tooMany });
  if (isAppError(error, "busy")) return refuse({ target: PROBLEMS.busy }, 503);
  throw error;
}

/** The alerts of a project, as its owner manages them. */
export function alertRoutes(door: FastifyInstance, deps: Deps): void {
  /** Before anything is done to an alert. Throws `project_not_found` for one of another project than the path's. */
  async function requireAlert(request: OfProject, id: string): Promise<void> {
    await requireOwn(deps, request);
    requireOfPath(request, await findAlert(deps.database.sql, id));
  }

  const lead = (request: OfProject, reply: FastifyReply, id: string) =>
    leadTo(request, reply, `/projects/${request.params.id}/alerts/${id}`);

  function sendSecret(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, secret: value }: { id: string; secret: string },
    hint: "secretHint" | "rotatedHint" | "renewedHint",
  ) {
    const secret = { label: ALERTS.secretOf, value, hint: ALERTS[hint] };
    return sendAlert(deps, request, reply, id, { secret });
  }

  door.get(PATH, (request: OfAlert, reply) =>
    sendAlert(deps, request, reply, request.params.alert),
  );

  const take = ownForms(door, deps, "alerts");
  take(
    "",
    async ({ actor, project, fields, request, reply }) => {
      const wanted = readAlert(fields);
      if ("problems" in wanted) return wanted;
      const { id, secret } = await addAlert(deps, actor, project.id, wanted);
      if (secret === null) return lead(request, reply, id);
      return sendSecret(request, reply, { id, secret }, "secretHint");
    },
    { describe: describeAlertError },
  );
  take("/remove", async ({ actor, fields: { alert = "" }, request }) => {
    requireOfPath(request, await findAlert(deps.database.sql, alert));
    return removeAlert(deps, actor, alert);
  });

  door.post(PATH, async (request: OfAlert, reply) => {
    const { alert: id } = request.params;
    await requireAlert(request, id);
    const refuseWith = (refused: Refused) => sendAlert(deps, request, reply, id, { refused });
    const wanted = readAlert({ kind: "webhook", ...fieldsOf(request) });
    if ("problems" in wanted) return refuseWith(wanted);
    let secret;
    try {
      secret = await editAlert(deps, getSignedIn(request).actor, id, wanted);
    } catch (error) {
      return refuseWith(describeAlertError(error));
    }
    if (secret === undefined) return lead(request, reply, id);
    return sendSecret(request, reply, { id, secret }, "renewedHint");
  });

  door.post(`${PATH}/rotate`, ON_PAGE, async (request: OfAlert, reply) => {
    await requireAlert(request, request.params.alert);
    const rotated = await rotateAlert(deps, getSignedIn(request).actor, request.params.alert);
    return sendSecret(request, reply, rotated, "rotatedHint");
  });

  door.post(`${PATH}/test`, ON_PAGE, async (request: OfAlert, reply) => {
    await requireAlert(request, request.params.alert);
    const { alertId } = await testAlert(deps, getSignedIn(request).actor, request.params.alert);
    return lead(request, reply, alertId);
  });

  door.post(`${PATH}/retry`, ON_PAGE, async (request: OfAlert, reply) => {
    await requireAlert(request, request.params.alert);
    const { delivery = "" } = fieldsOf(request);
    const { alertId } = await retryDelivery(deps, getSignedIn(request).actor, delivery);
    return lead(request, reply, alertId);
  });
}
