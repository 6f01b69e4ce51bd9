import type { Deps } from "../deps.ts";

/** Tells the owner of a project by e-mail, where this server sends any, that an alert is paused. */
export function tellOwnerOfPause(_deps: Deps, _alertId: string): Promise<void> {
  return Promise.resolve();
}
