import type { Manager } from "../db/accounts/actors.ts";
import { updateBadge } from "../db/projects/badges.ts";
import { insertEvent } from "../db/accounts/events.ts";
import type { Deps } from "../deps.ts";
import { changeProject } from "./rights.ts";

export const pathOfBadge = (badgeId: string): string => `/badge/${badgeId}.svg`;

/**
 * Returns null if the badge is off, and only its path if this server does not know its public URL. A badge gets a new URL each time it is
 * switched on. Throws `project_not_found`, `owner_only`.
 */
export async function setBadge(
  deps: Deps,
  actor: Manager,
  projectId: string,
  isOn: boolean,
): Promise<string | null> {
  const id = await changeProject(deps, actor, "change", projectId, async (sql) => {
    const action = isOn ? "project.badge_on" : "project.badge_off";
    await insertEvent(sql, actor, { action, projectId });
    return updateBadge(sql, projectId, isOn);
  });
  if (id === null) return null;
  const { publicUrl } = deps.config;
  return publicUrl === undefined ? pathOfBadge(id) : new URL(pathOfBadge(id), publicUrl).href;
}
