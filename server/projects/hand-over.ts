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

/** Nothing else changes until the member accepts. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export const offerProject = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "hand_over", projectId, async (sql) => {
    const accountId = await findMemberId(sql, projectId, email);
    if (accountId === undefined) throw new AppError("member_not_found", { email, projectId });
    await upsertHandOver(sql, projectId, accountId);
    await insertEvent(sql, actor, { action: "hand_over.offered", projectId, accountId });
  });

/** Throws `project_not_found`, `owner_only`, `hand_over_not_found`. */
export const withdrawHandOver = (deps: Deps, actor: Manager, projectId: string) =>
  changeProject(deps, actor, "hand_over", projectId, async (sql) => {
    const accountId = await findHandOver(sql, projectId);
    if (accountId === undefined) throw new AppError("hand_over_not_found", { projectId });
    await deleteHandOver(sql, projectId);
    await insertEvent(sql, actor, { action: "hand_over.withdrawn", projectId, accountId });
  });

/** Lock order: the account, then the project. */
const answerHandOver = (
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
 * Everything that the former owner knows or chose stops: hooks wait for new secrets, status reporting for a new credential, alerts for a
 * test; the headers for previews are deleted. Throws `project_not_found`, `hand_over_not_found`, `too_many_projects`,
 * `too_many_account_urls`.
 */
export function acceptHandOver(
  deps: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  const { accountId } = actor;
  return answerHandOver(deps, actor, projectId, async (sql, { ownerId }) => {
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

/** Throws `project_not_found`, `hand_over_not_found`. */
export const declineHandOver = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  answerHandOver(deps, actor, projectId, async (sql, { ownerId }) => {
    await insertEvent(sql, actor, { action: "hand_over.declined", projectId, accountId: ownerId });
  });
