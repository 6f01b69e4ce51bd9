import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { deleteInvitation } from "../db/projects/invitations.ts";
import { deleteMembership, insertMembership } from "../db/projects/memberships.ts";
import { lockActorsProject, selfOf, type ActorsProject } from "../db/projects/roles.ts";
import type { Sql } from "../db/driver/sql.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { requireRight } from "./rights.ts";

/** Of the account that an invitation is answered for; its address cannot change meanwhile. */
interface Answering {
  email: string;
  project: ActorsProject;
}

/** Runs `answer` in a transaction that locks first the account, then the project. */
function answerInvitation(
  { database }: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
  answer: (sql: Sql, answering: Answering) => Promise<void>,
): Promise<void> {
  return database.begin(async (sql) => {
    const email = await lockAccount(sql, actor.accountId);
    const project = await lockActorsProject(sql, selfOf(actor), projectId);
    await answer(sql, {
      email,
      project: requireRight(project, "answer", { email, projectId }),
    });
  });
}

/**
 * Accepts the invitation of the actor's account, by its present address. Accepting again changes nothing. Throws
 * `invitation_not_found`.
 */
export function acceptInvitation(
  deps: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  return answerInvitation(deps, actor, projectId, async (sql, { email, project }) => {
    await deleteInvitation(sql, projectId, email);
    if (project.role === "member") return;
    const { accountId } = actor;
    await insertMembership(sql, projectId, accountId);
    await insertEvent(sql, actor, { action: "invitation.accepted", projectId, accountId });
  });
}

/** Declines the invitation of the actor's account. Throws `invitation_not_found`, also if it was answered. */
export function declineInvitation(
  deps: Deps,
  actor: ForAccount<Manager>,
  projectId: string,
): Promise<void> {
  return answerInvitation(deps, actor, projectId, async (sql, { email }) => {
    if (!(await deleteInvitation(sql, projectId, email)))
      throw new AppError("invitation_not_found", { email, projectId });
    const { accountId } = actor;
    await insertEvent(sql, actor, { action: "invitation.declined", projectId, accountId });
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
    await deleteMembership(sql, projectId, accountId);
    await insertEvent(sql, actor, { action: "member.left", projectId, accountId });
  });
}
