import type { FastifyInstance } from "fastify";
import type { WantedAlert } from "../../../alerts/alerts.ts";
import { addAlert, editAlert, NewAlert, removeAlert, rotateAlert } from "../../../alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../../alerts/deliveries.ts";
import { findAlert, OCCASIONS } from "../../../db/alerts/alerts.ts";
import { isOfLookups } from "../../../checks/lookups.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, describeRefusal } from "../../../base/errors.ts";
import { refuse, type Fields, type Refusals, type Refused } from "../../kit/forms.ts";
import { EMAIL_INVALID } from "../../kit/session/sign-in-words.ts";
import { sendAlert } from "./alert-page.tsx";
import { AlertsSection } from "./alerts-section.tsx";
import { ALERT_PROBLEMS, ALERTS } from "./alerts-words.ts";
import { formsOfOne, type Sent, type SettingsTab, type Take } from "./own-forms.ts";
import { leadTo, requireOfPath } from "./settings-forms.ts";
import { PROBLEMS, tooManyNames } from "./settings-words.ts";

/** What was typed into the form of an alert, or what is wrong with it. Throws `input_invalid` for what no form offers. */
function readAlert(fields: Fields): WantedAlert | Refused {
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
  too_often: (why) => (isOfLookups(why) ? { target: tooManyNames(why) } : undefined),
};

/** The alerts of a project, as its owner manages them. */
function takeAlerts(take: Take, deps: Deps, door: FastifyInstance): void {
  function sendSecret(
    { request, reply }: Sent,
    { id, secret: value }: { id: string; secret: string },
    hint: "secretHint" | "rotatedHint" | "renewedHint",
  ) {
    const secret = { label: ALERTS.secretOf, value, hint: ALERTS[hint] };
    return sendAlert(deps, request, reply, { id, secret });
  }

  take("", async (sent) => {
    const { actor, project, fields, request, reply } = sent;
    const wanted = readAlert(fields);
    if ("problems" in wanted) return wanted;
    const { id, secret } = await addAlert(deps, actor, project.id, wanted);
    if (secret === null) return leadTo(request, reply, `/projects/${project.id}/alerts/${id}`);
    return sendSecret(sent, { id, secret }, "secretHint");
  });
  take("/remove", async ({ actor, fields: { alert = "" }, request }) => {
    requireOfPath(request, await findAlert(deps.database.sql, alert));
    return removeAlert(deps, actor, alert);
  });

  const takeOn = formsOfOne(door, deps, "/projects/:id/alerts/:of", sendAlert, findAlert, REFUSALS);
  takeOn("", async (sent) => {
    const { actor, id, fields } = sent;
    const wanted = readAlert({ kind: "webhook", ...fields });
    if ("problems" in wanted) return wanted;
    const secret = await editAlert(deps, actor, id, wanted);
    return secret && sendSecret(sent, { id, secret }, "renewedHint");
  });
  takeOn("/rotate", async (sent) =>
    sendSecret(sent, await rotateAlert(deps, sent.actor, sent.id), "rotatedHint"),
  );
  takeOn("/test", ({ actor, id }) => testAlert(deps, actor, id));
  takeOn("/retry", ({ actor, fields: { delivery = "" } }) => retryDelivery(deps, actor, delivery));
}

export const ALERTS_TAB: SettingsTab = {
  refusals: REFUSALS,
  Content: AlertsSection,
  takeForms: takeAlerts,
};
