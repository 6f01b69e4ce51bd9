import { endAlert } from "../db/alerts/alerts.ts";
import { findSubscription, type Subscription } from "../db/alerts/subscriptions.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

/** Where whoever gets the e-mails of an alert ends them. */
export const pathOfUnsubscribing = (unsubscribeId: string): string =>
  `/unsubscribe/${unsubscribeId}`;

/** The alert whose e-mails end at an address. Throws `subscription_not_found`. */
export async function getSubscription(
  { database }: Deps,
  unsubscribeId: string,
): Promise<Subscription> {
  const subscription = await findSubscription(database.sql, unsubscribeId);
  if (subscription === undefined) throw new AppError("subscription_not_found", {});
  return subscription;
}

/** Ends the e-mails of an alert for good; a second time changes nothing. Throws `subscription_not_found`. */
export async function unsubscribe(deps: Deps, unsubscribeId: string): Promise<Subscription> {
  const subscription = await getSubscription(deps, unsubscribeId);
  if (subscription.state !== "ended") await endAlert(deps.database, subscription.alertId);
  return subscription;
}
