import { say } from "../../../../shared/report/words.ts";
import type { ShownAlert, ShownDelivery } from "../../../db/alerts/alert-settings.ts";
import { findKind } from "../../../alerts/kinds.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { describeDeliveryError } from "../../../alerts/delivery-errors.ts";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import {
  ALERT_STATES,
  ALERTS as WORDS,
  DELIVERY_STATES,
  MESSAGES,
  OCCASION_WORDS,
  tries,
  WHY,
} from "./alerts-words.ts";
import { ActionButton } from "./action-button.tsx";
import { AlertForm, type AlertFormProps } from "./alert-form.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { State } from "./states.tsx";

interface AlertsProps extends AlertFormProps {
  /** Newest first. */
  alerts: readonly ShownAlert[];
  /** Counted from 1. */
  page: number;
}

/** An alert, and what it is called on the page. */
interface NamedAlert extends ShownAlert {
  name: Text;
}

interface RowProps extends Pick<AlertsProps, "projectId" | "signedIn"> {
  alert: NamedAlert;
}

interface ListProps extends Omit<AlertsProps, "alerts"> {
  alerts: readonly NamedAlert[];
}

const LONGEST_HOST = 60;
/** How many deliveries are shown, of all alerts together. */
const DELIVERIES = 5;
export const ALERTS_A_PAGE = 5;

/**
 * By the kind and the host of the target: nothing else of it is shown. Several of one kind and host are told apart by the
 * end of their ids.
 */
function nameAlert(alert: ShownAlert, alerts: readonly ShownAlert[]): NamedAlert {
  const { id, kind, host } = alert;
  const alike = alerts.filter((other) => other.kind === kind && other.host === host);
  const shown = `${oneLine(host, LONGEST_HOST)}${alike.length > 1 ? ` …${id.slice(-4)}` : ""}`;
  const { fr, en } = findKind(kind).name;
  return { ...alert, name: { fr: `${fr} ${shown}`, en: `${en} ${shown}` } };
}

const nameButton = (label: Text, on: Text): Text => ({
  fr: `${label.fr} ${on.fr}`,
  en: `${label.en} ${on.en}`,
});

function Standing({ alert: { state, host }, signedIn: { language } }: Omit<RowProps, "projectId">) {
  const why = WHY[state]?.(oneLine(host, LONGEST_HOST));
  return (
    <>
      <State state={ALERT_STATES[state]} language={language} /> {why && say(why, language)}
    </>
  );
}

type AlertAction = "test" | "rotate" | "remove";

const isUnsubscribed = ({ kind, state }: ShownAlert) => kind === "email" && state === "ended";

function actionsOn(alert: ShownAlert): AlertAction[] {
  return [
    ...(isUnsubscribed(alert) ? [] : (["test"] as const)),
    ...(alert.kind === "webhook" ? (["rotate"] as const) : []),
    "remove",
  ];
}

function ActionButtons({ alert, projectId, signedIn: { language } }: RowProps) {
  return (
    <>
      {actionsOn(alert).map((action) => (
        <ActionButton
          key={action}
          action={`${pathOfSettings(projectId, "alerts")}/${action}`}
          label={WORDS[action]}
          name={nameButton(WORDS[action], alert.name)}
          sends={{ alert: alert.id }}
          isPlain
          language={language}
        />
      ))}
    </>
  );
}

function DeliveryOutcome({ state, attempts, error }: ShownDelivery, { language }: SignedInRequest) {
  return (
    <>
      <State state={DELIVERY_STATES[state]} language={language} />
      {error !== null && state !== "sent" && (
        <>
          {" "}
          {say(describeDeliveryError(error), language)}{" "}
          {attempts > 1 && <span class="soft">({say(tries(attempts), language)})</span>}
        </>
      )}
    </>
  );
}

function Retry({ alert, delivery, projectId, signedIn }: RowProps & { delivery: ShownDelivery }) {
  if (delivery.state === "sent" || isUnsubscribed(alert)) return null;
  return (
    <ActionButton
      action={`${pathOfSettings(projectId, "alerts")}/retry`}
      label={WORDS.retry}
      name={nameButton(WORDS.retry, nameButton(MESSAGES[delivery.type], alert.name))}
      sends={{ delivery: delivery.id }}
      isPlain
      language={signedIn.language}
    />
  );
}

function Deliveries({ alerts, projectId, signedIn }: ListProps) {
  const { language, now } = signedIn;
  const rows = alerts
    .flatMap((alert) => alert.deliveries.map((delivery) => ({ alert, delivery })))
    .toSorted((a, b) => b.delivery.createdAt.getTime() - a.delivery.createdAt.getTime())
    .slice(0, DELIVERIES);
  if (rows.length === 0) return null;
  return (
    <>
      <h3 id="deliveries">{say(WORDS.deliveries, language)}</h3>
      <Table
        labelledBy="deliveries"
        head={[
          ...[WORDS.message, WORDS.target, WORDS.when, WORDS.outcome].map((text) =>
            say(text, language),
          ),
          "",
        ]}
        rows={rows.map(({ alert, delivery }) => ({
          key: delivery.id,
          cells: [
            say(MESSAGES[delivery.type], language),
            say(alert.name, language),
            <Time at={delivery.createdAt} now={now} reader={signedIn} />,
            DeliveryOutcome(delivery, signedIn),
            <Retry alert={alert} delivery={delivery} projectId={projectId} signedIn={signedIn} />,
          ],
        }))}
      />
    </>
  );
}

/** Whom a project tells of what happens to it, what came of the last messages, and the form that adds another target. */
export function AlertsSection(props: AlertsProps) {
  const { page, projectId, signedIn } = props;
  const { language } = signedIn;
  const path = pathOfSettings(projectId, "alerts");
  const alerts = props.alerts.map((alert) => nameAlert(alert, props.alerts));
  return (
    <Section id="alerts" title={say(WORDS.title, language)}>
      <p>{say(WORDS.lead, language)}</p>
      {alerts.length > 0 && (
        <Table
          labelledBy="alerts"
          head={[...[WORDS.target, WORDS.on, WORDS.state].map((text) => say(text, language)), ""]}
          rows={alerts.slice((page - 1) * ALERTS_A_PAGE, page * ALERTS_A_PAGE).map((alert) => ({
            key: alert.id,
            cells: [
              <span class="target">{say(alert.name, language)}</span>,
              alert.on.map((occasion) => say(OCCASION_WORDS[occasion], language)).join(", "),
              <Standing alert={alert} signedIn={signedIn} />,
              <ActionButtons alert={alert} projectId={projectId} signedIn={signedIn} />,
            ],
          }))}
        />
      )}
      <Pager
        first={page > 1 ? path : undefined}
        next={alerts.length > page * ALERTS_A_PAGE ? `${path}?page=${page + 1}` : undefined}
        language={language}
      />
      <Deliveries {...props} alerts={alerts} />
      <AlertForm {...props} />
    </Section>
  );
}
