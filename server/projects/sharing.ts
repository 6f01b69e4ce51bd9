import { getAccountId } from "../access/accounts.ts";
import type { ForAccount, Manager } from "../db/actors.ts";
import { deleteMembership, insertInvitation, markInvitationAccepted } from "../db/memberships.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { changeProject } from "./ownership.ts";

/**
 * Invites the account with this address; inviting a member, or inviting again, changes nothing.
 * Throws `project_not_found`, `owner_only`, `account_not_found`, `owner_invited`.
 */
export function shareProject(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<void> {
  return changeProject(deps, actor, projectId, async (sql, { ownerId }) => {
    const accountId = await getAccountId(sql, email);
    if (accountId === ownerId) throw new AppError("owner_invited", { email, projectId });
    await insertInvitation(sql, projectId, accountId);
  });
}

/** Accepts an invitation for the actor's account; accepting again changes nothing. Throws `invitation_not_found`. */
export async function acceptInvitation(
  { database }: Deps,
  { accountId }: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  const { email, isAccepted } = await markInvitationAccepted(database.sql, projectId, accountId);
  if (!isAccepted) throw new AppError("invitation_not_found", { email, projectId });
}

/** Withdraws an invitation or a membership. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export function unshareProject(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<void> {
  return changeProject(deps, actor, projectId, async (sql) => {
    if (!(await deleteMembership(sql, projectId, email)))
      throw new AppError("member_not_found", { email, projectId });
  });
}
