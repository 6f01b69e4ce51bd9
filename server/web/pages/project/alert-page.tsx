import type { FastifyReply, FastifyRequest } from "fastify";
import { T, useSay } from "../../kit/reader.tsx";
import type { AlertKind } from "../../../alerts/kinds.ts";
import { describeDeliveryError } from "../../../alerts/sender.ts";
import type { AlertOfPage, ShownDelivery } from "../../../db/alerts/alert-settings.ts";
import { findAlertOfPage } from "../../../db/alerts/alert-settings.ts";
import type { Deps } from "../../../deps.ts";
import { Address } from "../../kit/address.tsx";
import { Section, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { ALL_DELIVERIES } from "./project-words.ts";
import { ActionButton, State } from "./state-badges.tsx";
import { AlertForm, AlertStatus, nameAlert, targetOf } from "./alerts-section.tsx";
import { ALERTS as WORDS, countAttempts, MESSAGES, stateOfDelivery } from "./alerts-words.ts";
import { sendItemPage, type PageExtras } from "./item-page.tsx";

interface AlertProps {
  alert: AlertOfPage;
  path: string;
}

const isUnsubscribed = ({ kind, state }: AlertOfPage) => kind === "email" && state === "ended";

interface OutcomeProps {
  delivery: Pick<ShownDelivery, "state" | "attempts" | "error">;
}

export function Outcome({ delivery }: OutcomeProps) {
  const say = useSay();
  const { state, attempts, error } = delivery;
  return (
    <>
      <State state={stateOfDelivery(delivery)} />
      {error !== null && state !== "sent" && ` ${say(describeDeliveryError(error))}`}
      {state === "pending" && attempts > 0 && ` (${say(countAttempts(attempts))})`}
    </>
  );
}

function Deliveries({ alert, path }: AlertProps) {
  if (alert.deliveries.length === 0) return null;
  return (
    <Section id="deliveries" title={WORDS.deliveries}>
      <Table
        head={[WORDS.message, WORDS.when, WORDS.outcome, ""]}
        rows={alert.deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            <>
              <T text={MESSAGES[delivery.type]} />{" "}
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
        <a href={`${path}/deliveries`}>
          <T text={ALL_DELIVERIES} />
        </a>
      </p>
    </Section>
  );
}

function AlertPage({ alert, path }: AlertProps) {
  const act = (action: "test" | "rotate" | "remove") => (
    <ActionButton
      action={`${path}/${action}`}
      method={action === "remove" ? "get" : "post"}
      label={WORDS[action]}
      on={nameAlert(alert)}
      isPlain
    />
  );
  return (
    <>
      <p>
        {alert.label !== "" && `${targetOf(alert)} · `}
        <AlertStatus alert={alert} />
      </p>
      <div class="actions">
        {!isUnsubscribed(alert) && act("test")}
        {alert.kind === "webhook" && act("rotate")}
        {act("remove")}
      </div>
      <Deliveries alert={alert} path={path} />
      <Section id="change" title={WORDS.change}>
        <AlertForm action={path} kind={alert.kind as AlertKind} current={alert} />
      </Section>
    </>
  );
}

export const sendAlert = (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  extras: PageExtras = {},
): Promise<FastifyReply> =>
  sendItemPage(deps, request, reply, extras, {
    list: "alerts",
    find: findAlertOfPage,
    nameOf: nameAlert,
    render: (alert, path) => <AlertPage alert={alert} path={path} />,
  });
