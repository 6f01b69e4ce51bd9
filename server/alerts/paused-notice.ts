import { addressOf } from "../access/links.ts";
import { findOwnersAlert } from "../db/alerts/recipients.ts";
import type { Deps } from "../deps.ts";
import { writePausedLetter, type PausedAlert } from "./paused-letter.ts";

/** Tells the owner of a project by e-mail, where this server sends any, that an alert is paused, or waits. */
export async function tellOwnerOfPause(
  deps: Deps,
  alertId: string,
  state: PausedAlert["state"],
): Promise<void> {
  if (deps.mailer === undefined) return;
  const alert = await findOwnersAlert(deps.database.sql, alertId);
  if (alert === undefined) return;
  const page = addressOf(deps, `/projects/${alert.projectId}/alerts/${alertId}`);
  const letter = writePausedLetter({ ...alert, state, page }, alert.language ?? "fr");
  deps.mailer.send({ to: alert.email, ...letter });
}
