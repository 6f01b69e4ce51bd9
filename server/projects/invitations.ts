import { typeset } from "../../shared/report/words.ts";
import { defuse, plainName } from "../base/syntax/text.ts";
import { type Letter, addressOf } from "../access/links.ts";
import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { activateWaitingAlerts } from "../db/alerts/recipients.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import {
  deleteInvitation,
  findInvitee,
  upsertInvitation,
  type Invitee,
} from "../db/projects/invitations.ts";
import { insertMember } from "../db/projects/members.ts";
import { lockActorsProject, selfOf, type ActorsProject } from "../db/projects/roles.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { changeProject, requireRight } from "./rights.ts";

interface Invitation {
  /** The e-mail address of whoever invites. */
  inviter: string;
  projectName: string;
  /** The address of the page that asks for an answer. */
  page: string;
  /** The address of the page that makes an account, where anybody may have one. */
  signUp: string | undefined;
}

const french = ({ inviter, signUp }: Invitation, name: string) => [
  `« ${inviter} » vous invite à voir le projet${name && ` « ${name} »`} sur shipscore : ses incidents, ses déploiements et leurs scores.`,
  "Pour accepter ou refuser, connectez-vous avec cette adresse ; l'invitation est valable 14 jours.",
  signUp === undefined
    ? "Si vous n'avez pas de compte, demandez-en un à l'exploitant du serveur ; l'invitation vous attendra."
    : `Si vous n'avez pas de compte, créez-en un avec cette adresse : ${signUp}`,
  "Si vous n'attendiez pas cette invitation, ignorez ce message : rien ne se passe tant que vous n'acceptez pas.",
];

const english = ({ inviter, signUp }: Invitation, name: string) => [
  `“${inviter}” invites you to see the project${name && ` “${name}”`} on shipscore: its incidents, its deployments and their scores.`,
  "To accept or decline, sign in with this address; the invitation lasts 14 days.",
  signUp === undefined
    ? "If you have no account, ask the operator of the server for one; the invitation will wait."
    : `If you have no account, create one with this address: ${signUp}`,
  "If you did not expect this invitation, ignore this message: nothing happens unless you accept.",
];

/**
 * Writes the e-mail of an invitation. It is the same for whoever has an account and whoever has none, so it is in both
 * languages.
 */
function writeInvitation(invitation: Invitation): Letter {
  const name = plainName(invitation.projectName);
  const { page } = invitation;
  const shown = { ...invitation, inviter: defuse(invitation.inviter) };
  const [greeting = "", ...rest] = french(shown, name).map((line) => typeset(line, "fr"));
  const [hello = "", ...others] = english(shown, name);
  return {
    subject: typeset("Invitation à un projet / Invitation to a project", "fr"),
    text: [greeting, page, ...rest, "* * *", hello, page, ...others, "-- \nshipscore"].join("\n\n"),
  };
}

/** Members and invitations of a project, its owner apart. */
export const MAX_MEMBERS = 100;

const BY: Bound = { name: "invitations of an account", capacity: 20, seconds: 86_400 };
const TO: Bound = { name: "invitations of an address", capacity: 10, seconds: 86_400 };

async function takeInvitation(sql: Sql, actor: Manager, email: string): Promise<void> {
  if (actor.by === "operator") return;
  await takeOrRefuse(sql, { bound: BY, subject: actor.accountId });
  await takeOrRefuse(sql, { bound: TO, subject: email });
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
  await takeInvitation(sql, actor, email);
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
    if (!invitee.isInvited && invitee.members >= MAX_MEMBERS)
      throw new AppError("too_many_people", { projectId, limit: MAX_MEMBERS });
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

/** Ends an invitation; false if there is none. */
export async function endInvitation(
  sql: Sql,
  actor: Manager,
  projectId: string,
  email: string,
): Promise<boolean> {
  const invitee = await findInvitee(sql, projectId, email);
  if (!(await deleteInvitation(sql, projectId, email))) return false;
  const action = "invitation.withdrawn";
  await insertEvent(sql, actor, { action, projectId, ...accountOf(invitee) });
  return true;
}

/** Withdraws an invitation. Throws `project_not_found`, `owner_only`, `invitation_not_found`, also if it was answered. */
export const withdrawInvitation = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    if (!(await endInvitation(sql, actor, projectId, email)))
      throw new AppError("invitation_not_found", { email, projectId });
  });

/** The account's e-mail address, which cannot change meanwhile, and the project. */
interface InvitedActor {
  email: string;
  project: ActorsProject;
}

/** Runs `work` in a transaction that locks first the account, then the project. */
const settleInvitation = (
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
  projectId: string,
  work: (sql: Sql, invited: InvitedActor) => Promise<void>,
) =>
  database.begin(async (sql) => {
    const email = await lockAccount(sql, actor.accountId);
    const project = await lockActorsProject(sql, selfOf(actor), projectId);
    await work(sql, {
      email,
      project: requireRight(project, "answer", { email, projectId }),
    });
  });

/**
 * Accepts the invitation of the actor's account, by its present address. Accepting again changes nothing. Throws
 * `invitation_not_found`.
 */
export const acceptInvitation = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  settleInvitation(deps, actor, projectId, async (sql, { email, project }) => {
    await deleteInvitation(sql, projectId, email);
    if (project.role === "member") return;
    const { accountId } = actor;
    await insertMember(sql, projectId, accountId);
    await activateWaitingAlerts(sql, projectId, deps.secretBox.hash(email, projectId));
    await insertEvent(sql, actor, { action: "invitation.accepted", projectId, accountId });
  });

/** Declines the invitation of the actor's account. Throws `invitation_not_found`, also if it was answered. */
export const declineInvitation = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  settleInvitation(deps, actor, projectId, async (sql, { email }) => {
    if (!(await deleteInvitation(sql, projectId, email)))
      throw new AppError("invitation_not_found", { email, projectId });
    const { accountId } = actor;
    await insertEvent(sql, actor, { action: "invitation.declined", projectId, accountId });
  });
