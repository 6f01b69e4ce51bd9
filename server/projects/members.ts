import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import type { Sql } from "../db/driver/sql.ts";
import { deleteMember, findMemberId } from "../db/projects/members.ts";
import { lockActorsProject, selfOf } from "../db/projects/roles.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { endInvitation } from "./invitations.ts";
import { changeProject, requireRight } from "./rights.ts";

async function endMember(
  sql: Sql,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<boolean> {
  const accountId = await findMemberId(sql, projectId, email);
  if (accountId === undefined) return false;
  await deleteMember(sql, projectId, accountId);
  await insertEvent(sql, actor, { action: "member.removed", projectId, accountId });
  return true;
}

/** Removes a member. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export function removeMember(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<void> {
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    if (!(await endMember(sql, actor, projectId, email)))
      throw new AppError("member_not_found", { email, projectId });
  });
}

/** Withdraws an invitation or removes a member. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export function unshareProject(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<void> {
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    const isMember = await endMember(sql, actor, projectId, email);
    if (!isMember && !(await endInvitation(sql, actor, projectId, email)))
      throw new AppError("member_not_found", { email, projectId });
  });
}

/** Ends the membership of the actor's account. Throws `project_not_found`, `owner_stays`. */
export function leaveProject(
  { database }: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    const project = await lockActorsProject(sql, selfOf(actor), projectId);
    requireRight(project, "leave", { projectId });
    await deleteMember(sql, projectId, accountId);
    await insertEvent(sql, actor, { action: "member.left", projectId, accountId });
  });
}
