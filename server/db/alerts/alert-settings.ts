import { onOf, type AlertRow, type Delivery } from "./alerts.ts";
import { fragment } from "../driver/fragment.ts";
import { asList, toDate, type Listed } from "../lists.ts";

/** A message to an alert's target, as the owner of the project sees it. */
export type ShownDelivery = Pick<
  Delivery,
  "id" | "type" | "state" | "attempts" | "error" | "createdAt"
>;

/** An alert with its last deliveries, newest first. */
export interface ShownAlert extends Omit<AlertRow, "failingSince"> {
  deliveries: readonly ShownDelivery[];
}

/** How many deliveries of each alert are shown. */
const SHOWN = 5;

/** The alerts of the project in `projects` as JSON, newest first. */
export const shownAlerts = asList(fragment`
  select id, kind, host, language, state, ${onOf} as on,
    ${asList(fragment`
      select id, type, state, attempts, error, created_at as "createdAt" from messages where alert_id = alerts.id
      order by created_at desc, id desc limit ${SHOWN}::int`)} as deliveries
  from alerts where project_id = projects.id order by created_at desc, id desc`);

/** Alerts as JSON has them. */
export type ListedAlert = Omit<ShownAlert, "deliveries"> & { deliveries: Listed<ShownDelivery>[] };

export const readAlert = ({ deliveries, ...alert }: ListedAlert): ShownAlert => ({
  ...alert,
  deliveries: deliveries.map((one) => {
    return { ...one, createdAt: toDate(one.createdAt) };
  }),
});
