import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
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
  /** The e-mail address of the project's owner. */
  inviter: string;
  projectName: string;
  page: string;
  signUp: string | undefined;
}

const SUBJECT: Text = { fr: "Invitation à un projet", en: "Invitation to a project" };

const describeInvitation = (inviter: string, name: string): Text => ({
  fr: `« ${inviter} » vous invite à voir le projet${name && ` « ${name} »`} sur shipscore : ses incidents, ses déploiements et leurs scores.`,
  en: `“${inviter}” invites you to see the project${name && ` “${name}”`} on shipscore: its incidents, its deployments and their scores.`,
});

const HOW_TO_ANSWER: Text = {
  fr: "Pour accepter ou refuser, connectez-vous avec cette adresse e-mail ; l'invitation est valable 14 jours.",
  en: "To accept or decline, sign in with this e-mail address; the invitation is valid for 14 days.",
};

const describeSignUp = (signUp: string | undefined): Text =>
  signUp === undefined
    ? {
        fr: "Si vous n'avez pas de compte, demandez-en un à l'administrateur du serveur ; l'invitation reste valable.",
        en: "If you have no account, ask the administrator of the server for one; the invitation stays valid.",
      }
    : {
        fr: `Si vous n'avez pas de compte, créez-en un avec cette adresse e-mail : ${signUp}`,
        en: `If you have no account, create one with this e-mail address: ${signUp}`,
      };

const IGNORE: Text = {
  fr: "Si vous n'attendiez pas cette invitation, ignorez ce message : rien ne se passera sans votre accord.",
  en: "If you did not expect this invitation, ignore this message: nothing happens unless you accept.",
};

/** Writes the same e-mail in both languages to everyone, so that it does not reveal who has an account. */
function writeInvitation({ inviter, projectName, page, signUp }: Invitation): Letter {
  const lead = describeInvitation(defuse(inviter), plainName(projectName));
  const write = (language: Language) => [
    say(lead, language),
    page,
    ...[HOW_TO_ANSWER, describeSignUp(signUp), IGNORE].map((text) => say(text, language)),
  ];
  return {
    subject: `${say(SUBJECT, "fr")} / ${say(SUBJECT, "en")}`,
    text: [...write("fr"), "* * *", ...write("en"), "-- \nshipscore"].join("\n\n"),
  };
}

/** The limit per project. It counts invitations too, but not the owner. */
export const MAX_MEMBERS = 100;

const BY: Bound = { name: "invitations of an account", capacity: 20, seconds: 86_400 };
const TO: Bound = { name: "invitations of an address", capacity: 10, seconds: 86_400 };

async function countInvitation(sql: Sql, actor: Manager, email: string): Promise<void> {
  if (actor.by === "operator") return;
  await takeOrRefuse(sql, { bound: BY, subject: actor.accountId });
  await takeOrRefuse(sql, { bound: TO, subject: email });
}

const accountOf = ({ accountId }: Invitee) => (accountId === null ? {} : { accountId });

interface StoredInvitation {
  email: string;
  inviter: string;
  projectName: string;
}

async function storeInvitation(
  sql: Sql,
  actor: Manager,
  project: ActorsProject,
  { email, invitee }: { email: string; invitee: Invitee },
): Promise<StoredInvitation> {
  const { id: projectId, name: projectName } = project;
  await countInvitation(sql, actor, email);
  await upsertInvitation(sql, { projectId, email, invitedBy: actor.accountId });
  const action = invitee.isInvited ? "invitation.resent" : "invitation.sent";
  await insertEvent(sql, actor, { action, projectId, ...accountOf(invitee) });
  return { email, inviter: invitee.owner, projectName };
}

function sendInvitation(deps: Deps, { email: to, inviter, projectName }: StoredInvitation): void {
  const page = addressOf(deps, "/projects");
  const signUp = deps.config.hasSignUp ? addressOf(deps, "/sign-up") : undefined;
  deps.mailer?.send({ to, ...writeInvitation({ inviter, projectName, page, signUp }) });
}

/**
 * Renews a pending invitation. Returns false and changes nothing if the person is already a member. Throws `project_not_found`,
 * `owner_only`, `owner_invited`, `too_many_people`, `too_often`.
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

/** Throws `project_not_found`, `owner_only`, `invitation_not_found`, `too_often`. */
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

/** Throws `project_not_found`, `owner_only`, and `invitation_not_found`, also if the invitation was already answered. */
export const withdrawInvitation = (deps: Deps, actor: Manager, projectId: string, email: string) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    if (!(await endInvitation(sql, actor, projectId, email)))
      throw new AppError("invitation_not_found", { email, projectId });
  });

/** `email` is the account's address, which cannot change during the transaction. */
interface InvitedActor {
  email: string;
  project: ActorsProject;
}

/** Lock order: the account, then the project. */
const answerInvitation = (
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

/** A member may accept again without effect. Throws `invitation_not_found`. */
export const acceptInvitation = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  answerInvitation(deps, actor, projectId, async (sql, { email, project }) => {
    await deleteInvitation(sql, projectId, email);
    if (project.role === "member") return;
    const { accountId } = actor;
    await insertMember(sql, projectId, accountId);
    await activateWaitingAlerts(sql, projectId, deps.secretBox.hash(email, projectId));
    await insertEvent(sql, actor, { action: "invitation.accepted", projectId, accountId });
  });

/** Throws `invitation_not_found`, also if the invitation was already answered. */
export const declineInvitation = (deps: Deps, actor: ForAccount<Manager>, projectId: string) =>
  answerInvitation(deps, actor, projectId, async (sql, { email }) => {
    if (!(await deleteInvitation(sql, projectId, email)))
      throw new AppError("invitation_not_found", { email, projectId });
    const { accountId } = actor;
    await insertEvent(sql, actor, { action: "invitation.declined", projectId, accountId });
  });
