import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import type { AlertKind } from "../../../alerts/kinds.ts";
import { describeDeliveryError } from "../../../alerts/delivery-errors.ts";
import { AppError } from "../../../base/errors.ts";
import type { Language } from "../../../base/language.ts";
import type { AlertOfPage, ShownDelivery } from "../../../db/alerts/alert-settings.ts";
import { findAlertOfPage } from "../../../db/alerts/alert-settings.ts";
import type { Deps } from "../../../deps.ts";
import { Address } from "../../kit/address.tsx";
import { Section } from "../../kit/layout.tsx";
import { filledOf, getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
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
  signedIn: SignedInRequest;
}

const isUnsubscribed = ({ kind, state }: AlertOfPage) => kind === "email" && state === "ended";

interface ActionProps extends AlertProps {
  action: "test" | "rotate" | "remove" | "retry";
  /** Of the message that is to be sent again. */
  delivery?: ShownDelivery;
}

function Action({ alert, path, action, delivery, signedIn: { language } }: ActionProps) {
  const on = delivery ? MESSAGES[delivery.type] : nameAlert(alert);
  return (
    <ActionButton
      action={path}
      label={WORDS[action]}
      name={{
        fr: `${WORDS[action].fr} ${on.fr}`,
        en: `${WORDS[action].en} ${on.en}`,
      }}
      sends={delivery ? { delivery: delivery.id } : { alert: alert.id }}
      isPlain
      language={language}
    />
  );
}

interface OutcomeProps {
  delivery: Pick<ShownDelivery, "state" | "attempts" | "error">;
  language: Language;
}

/** What came of a message, and why it did not arrive. */
export function Outcome({ delivery, language }: OutcomeProps) {
  const { state, attempts, error } = delivery;
  return (
    <>
      <State state={stateOfDelivery(delivery)} language={language} />
      {error !== null && state !== "sent" && ` ${say(describeDeliveryError(error), language)}`}
      {state === "pending" && attempts > 0 && ` (${say(tries(attempts), language)})`}
    </>
  );
}

function Deliveries(props: AlertProps) {
  const { alert, path, signedIn } = props;
  const { language, now } = signedIn;
  if (alert.deliveries.length === 0) return null;
  const head = [WORDS.message, WORDS.when, WORDS.outcome].map((text) => say(text, language));
  return (
    <Section id="deliveries" title={say(WORDS.deliveries, language)}>
      <Table
        labelledBy="deliveries"
        head={[...head, ""]}
        rows={alert.deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <>
              {say(MESSAGES[delivery.type], language)}{" "}
              {delivery.url !== null && <Address url={delivery.url} within={alert.projectUrl} />}
            </>,
            <Time at={delivery.createdAt} now={now} reader={signedIn} />,
            <Outcome delivery={delivery} language={language} />,
            delivery.state !== "sent" && !isUnsubscribed(alert) && (
              <Action {...props} path={`${path}/retry`} action="retry" delivery={delivery} />
            ),
          ],
        }))}
      />
      <p class="pager">
        <a href={`${path}/deliveries`}>{say(ALL_DELIVERIES, language)}</a>
      </p>
    </Section>
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
  id: string,
  shown: Shown = {},
): Promise<FastifyReply> {
  const signedIn = getSignedIn(request);
  const { language } = signedIn;
  const { id: projectId } = request.params as { id: string };
  const alert = await findAlertOfPage(deps.database.sql, signedIn.caller, projectId, id);
  if (alert === undefined) throw new AppError("project_not_found", { projectId });
  const path = `/projects/${projectId}/alerts/${id}`;
  const props = { alert, path, signedIn };
  const remove = `${pathOfSettings(projectId, "alerts")}/remove`;
  return sendOwnPage(deps, request, reply, {
    ...shown,
    name: say(nameAlert(alert), language),
    projectName: alert.projectName,
    list: "alerts",
    path,
    id,
    content: (filled) => (
      <>
        <p>
          {alert.label !== "" && `${targetOf(alert)} · `}
          <Standing alert={alert} language={language} />
        </p>
        <div class="actions">
          {!isUnsubscribed(alert) && <Action {...props} path={`${path}/test`} action="test" />}
          {alert.kind === "webhook" && (
            <Action {...props} path={`${path}/rotate`} action="rotate" />
          )}
          <Action {...props} path={remove} action="remove" />
        </div>
        <Deliveries {...props} />
        <Section id="change" title={say(WORDS.change, language)}>
          <AlertForm
            action={path}
            kind={alert.kind as AlertKind}
            present={alert}
            filled={shown.refused ? filled : filledOf(signedIn, path)}
            language={language}
          />
        </Section>
      </>
    ),
  });
}
