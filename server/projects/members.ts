import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { getEmail } from "../db/accounts/accounts.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { forgetAcceptance } from "../db/alerts/recipients.ts";
import type { Sql } from "../db/driver/sql.ts";
import { deleteMember, findMemberId } from "../db/projects/members.ts";
import { lockActorsProject, selfOf } from "../db/projects/roles.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { endInvitation } from "./invitations.ts";
import { changeProject, requireRight } from "./rights.ts";

/** Also stops the alerts to the member's address, even if their recipient accepted them before becoming a member. */
async function deleteWithConsent(
  { secretBox }: StoreDeps,
  sql: Sql,
  projectId: string,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  await deleteMember(sql, projectId, accountId);
  await forgetAcceptance(sql, projectId, secretBox.hash(email, projectId));
}

async function deleteIfMember(
  deps: Deps,
  sql: Sql,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<boolean> {
  const accountId = await findMemberId(sql, projectId, email);
  if (accountId === undefined) return false;
  await deleteWithConsent(deps, sql, projectId, { accountId, email });
  await insertEvent(sql, actor, { action: "member.removed", projectId, accountId });
  return true;
}

/** Throws `project_not_found`, `owner_only`, `member_not_found`. */
export const removeMember = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    if (!(await deleteIfMember(deps, sql, actor, projectId, email)))
      throw new AppError("member_not_found", { email, projectId });
  });

/** Throws `project_not_found`, `owner_only`, `member_not_found`. */
export const unshareProject = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    const isMember = await deleteIfMember(deps, sql, actor, projectId, email);
    if (!isMember && !(await endInvitation(sql, actor, projectId, email)))
      throw new AppError("member_not_found", { email, projectId });
  });

/** Throws `project_not_found`, `owner_stays`. */
export function leaveProject(
  deps: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  const { accountId } = actor;
  return deps.database.begin(async (sql) => {
    const project = await lockActorsProject(sql, selfOf(actor), projectId);
    requireRight(project, "leave", { projectId });
    const email = await getEmail(sql, accountId);
    await deleteWithConsent(deps, sql, projectId, { accountId, email });
    await insertEvent(sql, actor, { action: "member.left", projectId, accountId });
  });
}
