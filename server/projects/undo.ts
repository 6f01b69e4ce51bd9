import type { SessionActor } from "../db/accounts/actors.ts";
import { insertEvent, type NewEvent } from "../db/accounts/events.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { AlertState } from "../db/alerts/alerts.ts";
import { MAX_ALERTS } from "../db/alerts/outbox.ts";
import { beginWaiting, findConsent, putRecipient } from "../db/alerts/recipients.ts";
import type { Sql } from "../db/driver/sql.ts";
import { updateProjectState } from "../db/projects/projects.ts";
import { lockAct, markUndone, type ActKind, type LockedAct } from "../db/projects/acts.ts";
import { countPeople, deleteInvitation } from "../db/projects/invitations.ts";
import {
  findRemovedAlert,
  restoreAlert,
  restoreBadge,
  restoreHook,
  restoreMember,
  restoreUrl,
  type RemovedAlert,
} from "../db/projects/removed.ts";
import { lockActorsProject } from "../db/projects/roles.ts";
import { countWatchedUrls, listWatchedUrls } from "../db/watching/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { MAX_HOOKS } from "./hooks.ts";
import { MAX_MEMBERS } from "./invitations.ts";
import { requireRight } from "./rights.ts";
import { MAX_ACCOUNT_URLS, MAX_WATCHED_URLS } from "./watching.ts";

/** `late`: it was undone, or was done over 10 minutes ago; `taken`: something else is in its place; `full`: there is no room. */
export type NotUndone = "late" | "taken" | "full";

interface Undoing {
  deps: Deps;
  actor: SessionActor;
  projectId: string;
  act: LockedAct;
}

/** Returns what is recorded, or why nothing came back. */
type Restore = (sql: Sql, undoing: Undoing) => Promise<NewEvent | NotUndone>;

const putUrlBack: Restore = async (sql, { actor, projectId, act }) => {
  const watched = (await listWatchedUrls(sql, projectId)).length;
  const ofAccount = await countWatchedUrls(sql, actor.accountId);
  if (watched >= MAX_WATCHED_URLS || ofAccount >= MAX_ACCOUNT_URLS) return "full";
  if (!(await restoreUrl(sql, act.id))) return "taken";
  await updateProjectState(sql, projectId);
  return { action: "url.watched", projectId, details: { count: 1 } };
};

/** As when an invitation is accepted. */
const putMemberBack: Restore = async (sql, { deps, projectId, act }) => {
  if ((await countPeople(sql, projectId)) >= MAX_MEMBERS) return "full";
  const member = await restoreMember(sql, act.id);
  if (member === undefined) return "taken";
  const { email, accountId } = member;
  await deleteInvitation(sql, projectId, email);
  await beginWaiting(sql, projectId, deps.secretBox.hash(email, projectId));
  return { action: "member.restored", projectId, accountId };
};

const putHookBack: Restore = async (sql, { projectId, act }) => {
  if (!(await restoreHook(sql, act.id, { projectId, limit: MAX_HOOKS }))) return "full";
  return { action: "hook.added", projectId, details: { hookId: act.of } };
};

/** Who is told by an alert, and its state: whoever unsubscribed meanwhile is told nothing. */
async function findReader(
  sql: Sql,
  { secretBox }: Deps,
  projectId: string,
  { id, kind, target, state }: RemovedAlert,
): Promise<{ recipientId: string | null; state: AlertState }> {
  if (kind !== "email") return { recipientId: null, state };
  const email = secretBox.open(target, id);
  const recipient = await putRecipient(sql, projectId, secretBox.hash(email, projectId));
  const consent = await findConsent(sql, { id: recipient.id, projectId, email });
  const accepted = state === "waiting" || state === "ended" ? "active" : state;
  return { recipientId: recipient.id, state: consent === "accepted" ? accepted : consent };
}

const putAlertBack: Restore = async (sql, { deps, projectId, act }) => {
  const alert = await findRemovedAlert(sql, act.id);
  if (alert === undefined) return "late";
  const { id, kind } = alert;
  const reader = await findReader(sql, deps, projectId, alert);
  if (!(await restoreAlert(sql, act.id, { id, projectId, limit: MAX_ALERTS, ...reader })))
    return "full";
  return { action: "alert.added", projectId, details: { alertId: id, kind } };
};

const putBadgeBack: Restore = async (sql, { projectId, act }) =>
  (await restoreBadge(sql, act.id)) ? { action: "project.badge_on", projectId } : "taken";

const RESTORES: Partial<Record<ActKind, Restore>> = {
  "url.unwatched": putUrlBack,
  "member.removed": putMemberBack,
  "hook.removed": putHookBack,
  "alert.removed": putAlertBack,
  "badge.off": putBadgeBack,
};

/**
 * Puts back what the actor removed from a project within 10 minutes, with all that hung on it. Returns why it does not;
 * undefined if it does, and for what was undone already. Throws `project_not_found`, `owner_only`.
 */
export function undoAct(
  deps: Deps,
  actor: SessionActor,
  projectId: string,
  actId: string,
): Promise<NotUndone | undefined> {
  const { accountId } = actor;
  const undone = deps.database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    requireRight(await lockActorsProject(sql, actor, projectId), "change", { projectId });
    const act = await lockAct(sql, { accountId, projectId, id: actId });
    if (act === undefined) return "late";
    if (act.isUndone) return undefined;
    const restored = await RESTORES[act.kind]?.(sql, { deps, actor, projectId, act });
    if (restored === undefined || typeof restored === "string") return restored ?? "late";
    await markUndone(sql, actId);
    await insertEvent(sql, actor, restored);
    return undefined;
  });
  return undone.finally(() => deps.statusPages.forget(projectId));
}
