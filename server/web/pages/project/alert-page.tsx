import type { FastifyReply, FastifyRequest } from "fastify";
import { useSay } from "../../kit/reader.tsx";
import type { AlertKind } from "../../../alerts/kinds.ts";
import { describeDeliveryError } from "../../../alerts/delivery-errors.ts";
import { AppError } from "../../../base/errors.ts";
import type { AlertOfPage, ShownDelivery } from "../../../db/alerts/alert-settings.ts";
import { findAlertOfPage } from "../../../db/alerts/alert-settings.ts";
import type { Deps } from "../../../deps.ts";
import { Address } from "../../kit/address.tsx";
import { Section } from "../../kit/layout.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { ALL_DELIVERIES } from "./list-words.ts";
import { ActionButton } from "./action-button.tsx";
import { AlertForm } from "./alert-form.tsx";
import { nameAlert, Standing, targetOf } from "./alerts-section.tsx";
import { ALERTS as WORDS, MESSAGES, stateOfDelivery, tries } from "./alerts-words.ts";
import { sendOwnPage, type Shown } from "./own-page.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { State } from "./states.tsx";

interface AlertProps {
  alert: AlertOfPage;
  /** The path of the page. */
  path: string;
}

const isUnsubscribed = ({ kind, state }: AlertOfPage) => kind === "email" && state === "ended";

interface OutcomeProps {
  delivery: Pick<ShownDelivery, "state" | "attempts" | "error">;
}

/** What came of a message, and why it did not arrive. */
export function Outcome({ delivery }: OutcomeProps) {
  const say = useSay();
  const { state, attempts, error } = delivery;
  return (
    <>
      <State state={stateOfDelivery(delivery)} />
      {error !== null && state !== "sent" && ` ${say(describeDeliveryError(error))}`}
      {state === "pending" && attempts > 0 && ` (${say(tries(attempts))})`}
    </>
  );
}

function Deliveries({ alert, path }: AlertProps) {
  const say = useSay();
  if (alert.deliveries.length === 0) return null;
  return (
    <Section id="deliveries" title={WORDS.deliveries}>
      <Table
        labelledBy="deliveries"
        head={[WORDS.message, WORDS.when, WORDS.outcome, ""]}
        rows={alert.deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <>
              {say(MESSAGES[delivery.type])}{" "}
              {delivery.url !== null && <Address url={delivery.url} within={alert.projectUrl} />}
            </>,
            <Time at={delivery.createdAt} />,
            <Outcome delivery={delivery} />,
            delivery.state !== "sent" && !isUnsubscribed(alert) && (
              <ActionButton
                action={`${path}/retry`}
                label={WORDS.retry}
                on={MESSAGES[delivery.type]}
                sends={{ delivery: delivery.id }}
                isPlain
              />
            ),
          ],
        }))}
      />
      <p class="pager">
        <a href={`${path}/deliveries`}>{say(ALL_DELIVERIES)}</a>
      </p>
    </Section>
  );
}

function AlertPage({ alert, path, projectId }: AlertProps & { projectId: string }) {
  const act = (action: "test" | "rotate" | "remove", to = `${path}/${action}`) => (
    <ActionButton
      action={to}
      label={WORDS[action]}
      on={nameAlert(alert)}
      sends={{ alert: alert.id }}
      isPlain
    />
  );
  return (
    <>
      <p>
        {alert.label !== "" && `${targetOf(alert)} · `}
        <Standing alert={alert} />
      </p>
      <div class="actions">
        {!isUnsubscribed(alert) && act("test")}
        {alert.kind === "webhook" && act("rotate")}
        {act("remove", `${pathOfSettings(projectId, "alerts")}/remove`)}
      </div>
      <Deliveries alert={alert} path={path} />
      <Section id="change" title={WORDS.change}>
        <AlertForm action={path} kind={alert.kind as AlertKind} present={alert} />
      </Section>
    </>
  );
}

/**
 * Sends the page of an alert to the owner of its project: its state, what it was sent, and the form that changes it. Throws
 * `project_not_found` to anybody else.
 */
export async function sendAlert(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown = {},
): Promise<FastifyReply> {
  const { id: projectId, of = "" } = request.params as { id: string; of?: string };
  const { id = of } = shown;
  const { caller } = getSignedIn(request);
  const alert = await findAlertOfPage(deps.database.sql, caller, projectId, id);
  if (alert === undefined) throw new AppError("project_not_found", { projectId });
  const path = `/projects/${projectId}/alerts/${id}`;
  return sendOwnPage(deps, request, reply, {
    ...shown,
    name: nameAlert(alert),
    projectName: alert.projectName,
    list: "alerts",
    path,
    id,
    content: <AlertPage alert={alert} path={path} projectId={projectId} />,
  });
}
