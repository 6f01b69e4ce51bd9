import { addressOf } from "../access/links.ts";
import type { Manager } from "../db/accounts/actors.ts";
import { takeFromBucket, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import type { Invitee } from "../db/projects/invitations.ts";
import { deleteInvitation, findInvitee, upsertInvitation } from "../db/projects/invitations.ts";
import { deleteMembership, findMemberId } from "../db/projects/memberships.ts";
import type { ActorsProject } from "../db/projects/roles.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { writeInvitation } from "./invitation-letter.ts";
import { changeProject } from "./rights.ts";

/** Members and invitations of a project, its owner apart. */
export const MAX_PEOPLE = 100;

const INVITATIONS: Bound = { name: "invitations of an account", capacity: 20, seconds: 86_400 };

async function takeInvitation(sql: Sql, actor: Manager): Promise<void> {
  if (actor.by === "operator") return;
  const retryAfterSeconds = await takeFromBucket(sql, {
    bound: INVITATIONS,
    subject: actor.accountId,
  });
  if (retryAfterSeconds !== null)
    throw new AppError("too_often", { what: INVITATIONS.name, retryAfterSeconds });
}

const accountOf = ({ accountId }: Invitee) => (accountId === null ? {} : { accountId });

/** An invitation as it was stored, which is still to be sent. */
interface Stored {
  email: string;
  inviter: string;
  projectName: string;
}

async function storeInvitation(
  sql: Sql,
  actor: Manager,
  project: ActorsProject,
  { email, invitee }: { email: string; invitee: Invitee },
): Promise<Stored> {
  const { id: projectId, name: projectName } = project;
  await takeInvitation(sql, actor);
  await upsertInvitation(sql, { projectId, email, invitedBy: actor.accountId });
  const action = invitee.isInvited ? "invitation.resent" : "invitation.sent";
  await insertEvent(sql, actor, { action, projectId, ...accountOf(invitee) });
  return { email, inviter: invitee.owner, projectName };
}

/** Whether or not the address has an account, it is sent the same. */
function sendInvitation(deps: Deps, { email: to, inviter, projectName }: Stored): void {
  const page = addressOf(deps, "/projects");
  const signUp = deps.config.hasSignUp ? addressOf(deps, "/sign-up") : undefined;
  deps.mailer?.send({ to, ...writeInvitation({ inviter, projectName, page, signUp }) });
}

/**
 * Invites an e-mail address, whether or not it has an account; an invitation that was not answered begins anew. Returns
 * false, and changes nothing, for a member. Throws `project_not_found`, `owner_only`, `owner_invited`,
 * `too_many_people`, `too_often`.
 */
export async function shareProject(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<boolean> {
  const stored = await changeProject(deps, actor, "change", projectId, async (sql, project) => {
    const invitee = await findInvitee(sql, projectId, email);
    if (invitee.accountId === project.ownerId)
      throw new AppError("owner_invited", { email, projectId });
    if (invitee.isMember) return undefined;
    if (!invitee.isInvited && invitee.people >= MAX_PEOPLE)
      throw new AppError("too_many_people", { projectId, limit: MAX_PEOPLE });
    return storeInvitation(sql, actor, project, { email, invitee });
  });
  if (stored) sendInvitation(deps, stored);
  return stored !== undefined;
}

/**
 * Sends an invitation again that was not answered, which begins it anew. Throws `project_not_found`, `owner_only`,
 * `invitation_not_found`, `too_often`.
 */
export async function resendInvitation(
  deps: Deps,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<void> {
  const stored = await changeProject(deps, actor, "change", projectId, async (sql, project) => {
    const invitee = await findInvitee(sql, projectId, email);
    if (!invitee.isInvited) throw new AppError("invitation_not_found", { email, projectId });
    return storeInvitation(sql, actor, project, { email, invitee });
  });
  sendInvitation(deps, stored);
}

/** Ends something that binds an address to a project; false if there is no such thing. */
type End = (sql: Sql, actor: Manager, projectId: string, email: string) => Promise<boolean>;

const endInvitation: End = async (sql, actor, projectId, email) => {
  const invitee = await findInvitee(sql, projectId, email);
  if (!(await deleteInvitation(sql, projectId, email))) return false;
  const action = "invitation.withdrawn";
  await insertEvent(sql, actor, { action, projectId, ...accountOf(invitee) });
  return true;
};

const endMembership: End = async (sql, actor, projectId, email) => {
  const accountId = await findMemberId(sql, projectId, email);
  if (accountId === undefined) return false;
  await deleteMembership(sql, projectId, accountId);
  await insertEvent(sql, actor, { action: "member.removed", projectId, accountId });
  return true;
};

/** Makes a verb that does the first of these that there is something to end for. */
const ending =
  (code: "invitation_not_found" | "member_not_found", ...ends: readonly End[]) =>
  (deps: Deps, actor: Manager, projectId: string, email: string): Promise<void> =>
    changeProject(deps, actor, "change", projectId, async (sql) => {
      for (const end of ends) if (await end(sql, actor, projectId, email)) return;
      throw new AppError(code, { email, projectId });
    });

/** Withdraws an invitation. Throws `project_not_found`, `owner_only`, `invitation_not_found`, also if it was answered. */
export const withdrawInvitation = ending("invitation_not_found", endInvitation);

/** Removes a member. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export const removeMember = ending("member_not_found", endMembership);

/** Withdraws an invitation or removes a member. Throws `project_not_found`, `owner_only`, `member_not_found`. */
export const unshareProject = ending("member_not_found", endMembership, endInvitation);
