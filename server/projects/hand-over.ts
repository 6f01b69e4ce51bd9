import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { getEmail } from "../db/accounts/accounts.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { stopOwnersAlerts } from "../db/alerts/recipients.ts";
import { forgetStatusReporting } from "../db/deployments/status-reporting.ts";
import { forgetHookSecrets } from "../db/deployments/hooks.ts";
import { forgetPreviewHeaders } from "../db/projects/previews.ts";
import {
  deleteHandOver,
  findHandOver,
  updateOwner,
  upsertHandOver,
  countOwnProjects,
} from "../db/projects/projects.ts";
import { deleteMember, findMemberId, insertMember } from "../db/projects/members.ts";
import { lockActorsProject, selfOf, type ActorsProject } from "../db/projects/roles.ts";
import type { Sql } from "../db/driver/sql.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import { listWatchedUrls } from "../db/watching/watched-urls.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { MAX_PROJECTS } from "./projects.ts";
import { changeProject, requireRight } from "./rights.ts";
import { requireRoomForUrls } from "./watching.ts";

/**
 * Offers a project to the member with this address, in place of whomever it was offered to before. Until the member
 * accepts nothing changes. Throws `project_not_found`, `owner_only`, `member_not_found`.
 */
export const offerProject = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "hand_over", projectId, async (sql) => {
    const accountId = await findMemberId(sql, projectId, email);
    if (accountId === undefined) throw new AppError("member_not_found", { email, projectId });
    await upsertHandOver(sql, projectId, accountId);
    await insertEvent(sql, actor, { action: "hand_over.offered", projectId, accountId });
  });

/** Takes an offer back. Throws `project_not_found`, `owner_only`, `hand_over_not_found`. */
export const withdrawHandOver = (deps: Deps, actor: Manager, projectId: string) =>
  changeProject(deps, actor, "hand_over", projectId, async (sql) => {
    const accountId = await findHandOver(sql, projectId);
    if (accountId === undefined) throw new AppError("hand_over_not_found", { projectId });
    await deleteHandOver(sql, projectId);
    await insertEvent(sql, actor, { action: "hand_over.withdrawn", projectId, accountId });
  });

/**
 * Ends the offer to the actor's account, in a transaction that locks first the account, then the project, and goes on
 * with `answer`.
 */
const settleHandOver = (
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
  projectId: string,
  answer: (sql: Sql, project: ActorsProject) => Promise<void>,
) =>
  database.begin(async (sql) => {
    await lockAccount(sql, actor.accountId);
    const found = await lockActorsProject(sql, selfOf(actor), projectId);
    const project = requireRight(found, "take_over", { projectId });
    if ((await findHandOver(sql, projectId)) !== actor.accountId)
      throw new AppError("hand_over_not_found", { projectId });
    await deleteHandOver(sql, projectId);
    await answer(sql, project);
  });

/**
 * Makes the actor's account the owner of a project that was offered to it, and the former owner a member. What the former
 * owner knows or chose stops: hooks wait for new secrets, and answer nothing without a new credential; alerts wait for a test, and
 * previews are sent no headers. Throws
 * `project_not_found`, `hand_over_not_found`, `too_many_projects`, `too_many_account_urls`.
 */
export function acceptHandOver(
  deps: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  const { accountId } = actor;
  return settleHandOver(deps, actor, projectId, async (sql, { ownerId }) => {
    if ((await countOwnProjects(sql, accountId)) >= MAX_PROJECTS)
      throw new AppError("too_many_projects", { limit: MAX_PROJECTS });
    await requireRoomForUrls(sql, accountId, (await listWatchedUrls(sql, projectId)).length);
    await updateOwner(sql, projectId, accountId);
    await deleteMember(sql, projectId, accountId);
    await insertMember(sql, projectId, ownerId);
    await forgetHookSecrets(sql, projectId);
    await forgetStatusReporting(sql, projectId);
    await forgetPreviewHeaders(sql, projectId);
    const former = await getEmail(sql, ownerId);
    await stopOwnersAlerts(sql, projectId, deps.secretBox.hash(former, projectId));
    await insertEvent(sql, actor, { action: "hand_over.accepted", projectId, accountId: ownerId });
  });
}

/** Declines a project that was offered to the actor's account. Throws `project_not_found`, `hand_over_not_found`. */
export const declineHandOver = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  settleHandOver(deps, actor, projectId, async (sql, { ownerId }) => {
    await insertEvent(sql, actor, { action: "hand_over.declined", projectId, accountId: ownerId });
  });
