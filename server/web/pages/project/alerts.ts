import type { FastifyInstance } from "fastify";
import type { WantedAlert } from "../../../alerts/alerts.ts";
import { addAlert, editAlert, NewAlert, removeAlert, rotateAlert } from "../../../alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../../alerts/deliveries.ts";
import { findAlertOfPage } from "../../../db/alerts/alert-settings.ts";
import { findAlert, OCCASIONS } from "../../../db/alerts/alerts.ts";
import { isLookupLimit } from "../../../checks/lookups.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, describeRefusal } from "../../../base/errors.ts";
import { refuse, type Fields, type Refusals, type Refusal } from "../../kit/forms.ts";
import type { SentForm } from "../../kit/session/form-handlers.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { EMAIL_INVALID } from "../../kit/session/sign-in-words.ts";
import { sendAlert } from "./alert-page.tsx";
import { AlertsSection, nameAlert } from "./alerts-section.tsx";
import { ALERT_PROBLEMS, ALERTS } from "./alerts-words.ts";
import {
  pathOfSettings,
  projectFormsOf,
  requireOfPath,
  requireOwn,
  type AddProjectForm,
  type FormOfProject,
  type OfOne,
  type SettingsTab,
} from "./settings-tabs.ts";
import { PROBLEMS, tooManyNames } from "./settings-words.ts";

/** Throws `input_invalid` for a value that no form offers. */
function readAlert(fields: Fields): WantedAlert | Refusal {
  const on = OCCASIONS.filter((occasion) => fields[occasion] === "on");
  if (on.length === 0) return refuse({ on: ALERT_PROBLEMS.noOccasion });
  const { kind, target = "", label = "", language } = fields;
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

const REFUSALS: Refusals = {
  url_refused: (why) => ({ target: describeRefusal(why) }),
  input_invalid: { target: EMAIL_INVALID },
  alert_needs_mail: { target: ALERT_PROBLEMS.noMail },
  secret_key_missing: { target: ALERT_PROBLEMS.noKey },
  too_many_alerts: { target: ALERT_PROBLEMS.tooMany },
  busy: { target: PROBLEMS.busy },
  too_often: (why) => (isLookupLimit(why) ? { target: tooManyNames(why) } : undefined),
};

const PATH = "/projects/:id/alerts/:of";

function addAlertForms(addForm: AddProjectForm, deps: Deps, door: FastifyInstance): void {
  function sendSecret(
    { request, reply }: SentForm & FormOfProject,
    { id, secret: value }: { id: string; secret: string },
    hint: "secretHint" | "rotatedHint" | "renewedHint",
  ) {
    const secret = { label: ALERTS.secretOf, value, hint: ALERTS[hint] };
    return sendAlert(deps, request, reply, { id, secret });
  }

  addForm("", async (sent) => {
    const { actor, project, fields } = sent;
    const wanted = readAlert(fields);
    if ("problems" in wanted) return wanted;
    const { id, secret, state } = await addAlert(deps, actor, project.id, wanted);
    const done = state === "waiting" ? "alert-waiting" : "alert-added";
    if (secret === null) return { to: `/projects/${project.id}/alerts/${id}`, done };
    return sendSecret(sent, { id, secret }, "secretHint");
  });
  addConfirmation(door, deps, {
    path: `${PATH}/remove`,
    async find(request) {
      const { id: projectId, of: id = "" } = (request as OfOne).params;
      await requireOwn(deps, request as OfOne);
      const { caller } = getSignedIn(request);
      requireOfPath(request as OfOne, await findAlert(deps.database.sql, id));
      const alert = await findAlertOfPage(deps.database.sql, caller, projectId, id);
      if (alert === undefined) throw new AppError("alert_not_found", { id });
      return { ...alert, projectId };
    },
    ask: (alert) => ({
      consequence: ALERTS.removal,
      button: ALERTS.remove,
      name: nameAlert(alert),
      back: PATH.replace(":id", alert.projectId).replace(":of", alert.id),
    }),
    act: ({ id }, { actor }) => removeAlert(deps, actor, id),
    redirect: (request) => ({
      to: pathOfSettings((request as OfOne).params.id, "alerts"),
      done: "alert-removed",
    }),
    gone: "alert_not_found",
  });

  door.get(PATH, (request: OfOne, reply) => sendAlert(deps, request, reply));
  const addAlertForm = projectFormsOf(door, deps, {
    path: PATH,
    refusals: REFUSALS,
    find: findAlert,
    send: sendAlert,
  });
  addAlertForm("", async (sent) => {
    const { actor, id, fields } = sent;
    const wanted = readAlert({ kind: "webhook", ...fields });
    if ("problems" in wanted) return wanted;
    const secret = await editAlert(deps, actor, id, wanted);
    return secret ? sendSecret(sent, { id, secret }, "renewedHint") : "saved";
  });
  addAlertForm("/rotate", async (sent) =>
    sendSecret(sent, await rotateAlert(deps, sent.actor, sent.id), "rotatedHint"),
  );
  addAlertForm("/test", async ({ actor, id }) => {
    await testAlert(deps, actor, id);
    return "alert-tested";
  });
  addAlertForm("/retry", async ({ actor, fields: { delivery = "" } }) => {
    await retryDelivery(deps, actor, delivery);
    return "alert-tested";
  });
}

export const ALERTS_TAB: SettingsTab = {
  refusals: REFUSALS,
  Content: AlertsSection,
  addForms: addAlertForms,
};
