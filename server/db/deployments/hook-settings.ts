import { fragment } from "../driver/fragment.ts";
import type { Delivery } from "./hook-deliveries.ts";
import type { Hook } from "./hooks.ts";
import { asList, toDate, type Listed } from "../lists.ts";

/** A hook with its last deliveries, newest first. */
export interface ShownHook extends Hook {
  /** Whether everything is refused until the new owner of the project chooses a secret. */
  isHandedOver: boolean;
  deliveries: readonly Delivery[];
}

/** How many deliveries of each hook are shown. */
const SHOWN = 5;

/** The hooks of the project in `projects` as JSON, newest first. */
export const shownHooks = asList(fragment`
  select id, provider, secret is null as "isHandedOver",
    ${asList(fragment`
      select id, at, event, outcome from hook_deliveries where hook_id = hooks.id
      order by at desc, id desc limit ${SHOWN}::int`)} as deliveries
  from hooks where project_id = projects.id order by created_at desc, id desc`);

/** Hooks as JSON has them. */
export type ListedHook = Omit<ShownHook, "deliveries"> & { deliveries: Listed<Delivery>[] };

export const readHook = ({ deliveries, ...hook }: ListedHook): ShownHook => ({
  ...hook,
  deliveries: deliveries.map((one) => ({ ...one, at: toDate(one.at) })),
});
