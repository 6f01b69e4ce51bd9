import type { FastifyInstance, FastifyReply } from "fastify";
import type { WantedAlert } from "../../../alerts/alerts.ts";
import { addAlert, NewAlert, removeAlert, rotateAlert } from "../../../alerts/alerts.ts";
import { retryDelivery, testAlert } from "../../../alerts/deliveries.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import { OCCASIONS } from "../../../db/alerts/alerts.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { say } from "../../../../shared/report/words.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { fieldsOf, refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { ALERT_PROBLEMS, ALERTS } from "./alerts-words.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendRefused, sendSettings } from "./settings-page.tsx";
import { PROBLEMS } from "./settings-words.ts";

/** What was typed into the form that adds an alert, or what is wrong with it. Throws `input_invalid` for what no form offers. */
function readAlert(fields: Fields): WantedAlert | Refused {
  const on = OCCASIONS.filter((occasion) => fields[occasion] === "on");
  if (on.length === 0) return refuse({ on: ALERT_PROBLEMS.noOccasion });
  const { kind, target = "", language = "fr" } = fields;
  const read = NewAlert.safeParse({ kind, target, on: on.join(","), language });
  if (read.success) return read.data;
  const fault = read.error.issues[0]?.message ?? "";
  throw new AppError("input_invalid", { fault, value: "" });
}

/** The text at the refused form. Throws any error that is not about the form. */
function describeAlertError(error: unknown): Refused {
  if (isAppError(error, "url_refused"))
    return refuse({ target: describeRefusal(error.parameters) });
  if (isAppError(error, "input_invalid")) return refuse({ target: ALERT_PROBLEMS.email_invalid });
  if (isAppError(error, "alert_needs_mail")) return refuse({ target: ALERT_PROBLEMS.noMail });
  if (isAppError(error, "secret_key_missing")) return refuse({ target: ALERT_PROBLEMS.noKey });
  if (isAppError(error, "too_many_alerts")) return refuse({ target: ALERT_PROBLEMS.tooMany });
  if (isAppError(error, "busy")) return refuse({ target: PROBLEMS.busy }, 503);
  throw error;
}

const PATH = pathOfSettings(":id", "alerts");

/** The alerts of a project, as its owner manages them from its settings. */
export function alertRoutes(door: FastifyInstance, deps: Deps): void {
  function sendSecret(
    request: OfProject,
    reply: FastifyReply,
    value: string,
    hint: "secretHint" | "rotatedHint",
  ) {
    const label = say(ALERTS.secretOf, getSignedIn(request).language);
    const secret = { label, value, hint: ALERTS[hint] };
    return sendSettings(deps, request, reply, { secret });
  }

  door.post(PATH, formOn("alerts"), async (request: OfProject, reply) => {
    const { id: projectId } = await requireOwn(deps, request);
    const wanted = readAlert(fieldsOf(request));
    if ("problems" in wanted) return sendRefused(deps, request, reply, wanted);
    try {
      const { secret } = await addAlert(deps, getSignedIn(request).actor, projectId, wanted);
      if (secret === null) return leadBack(request, reply);
      return await sendSecret(request, reply, secret, "secretHint");
    } catch (error) {
      return sendRefused(deps, request, reply, describeAlertError(error));
    }
  });

  door.post(`${PATH}/rotate`, formOn("alerts"), async (request: OfProject, reply) => {
    const { alert = "" } = fieldsOf(request);
    const { secret } = await rotateAlert(deps, getSignedIn(request).actor, alert);
    return sendSecret(request, reply, secret, "rotatedHint");
  });

  type Verb = (actor: SessionActor, fields: Fields) => Promise<unknown>;

  const take = (verb: string, run: Verb) =>
    door.post(`${PATH}/${verb}`, formOn("alerts"), async (request: OfProject, reply) => {
      await run(getSignedIn(request).actor, fieldsOf(request));
      return leadBack(request, reply);
    });
  take("test", (actor, { alert = "" }) => testAlert(deps, actor, alert));
  take("remove", (actor, { alert = "" }) => removeAlert(deps, actor, alert));
  take("retry", (actor, { delivery = "" }) => retryDelivery(deps, actor, delivery));
}
