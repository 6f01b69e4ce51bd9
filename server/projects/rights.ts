import type { Recorder } from "../db/accounts/actors.ts";
import type { ActorsProject, Role } from "../db/projects/roles.ts";
import { findActorsProject, lockActorsProject } from "../db/projects/roles.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

type RightsErrorCode =
  | "project_not_found"
  | "owner_only"
  | "owner_stays"
  | "invitation_not_found"
  | "hand_over_not_found";

const HIDDEN = "project_not_found";

/** The operator has all rights. */
export const RIGHTS = {
  /** See the project, its incidents, ships, history and reports. */
  see: { owner: "yes", member: "yes", invited: HIDDEN, stranger: HIDDEN },
  /** Change the name, URL, watched URLs, badge, hooks, alerts and members; record a deployment. */
  change: { owner: "yes", member: "owner_only", invited: HIDDEN, stranger: HIDDEN },
  delete: { owner: "yes", member: "owner_only", invited: HIDDEN, stranger: HIDDEN },
  hand_over: { owner: "yes", member: "owner_only", invited: HIDDEN, stranger: HIDDEN },
  /** Accept or decline the owner's offer. */
  take_over: { owner: "hand_over_not_found", member: "yes", invited: HIDDEN, stranger: HIDDEN },
  leave: { owner: "owner_stays", member: "yes", invited: HIDDEN, stranger: HIDDEN },
  /** Accept or decline an invitation. A member has already accepted and may accept again. */
  answer: {
    owner: "invitation_not_found",
    member: "yes",
    invited: "yes",
    stranger: "invitation_not_found",
  },
} as const satisfies Record<string, Record<Role, "yes" | RightsErrorCode>>;

export type Right = keyof typeof RIGHTS;

type AnyRole = Role | "operator";

const findPermission = (role: AnyRole, right: Right) =>
  role === "operator" ? "yes" : RIGHTS[right][role];

export function requireRight<Project extends { role: AnyRole }>(
  project: Project | undefined,
  right: Right,
  named: { projectId: string; email?: string },
): Project {
  if (project === undefined) throw new AppError(RIGHTS[right].stranger, named);
  const answer = findPermission(project.role, right);
  if (answer !== "yes") throw new AppError(answer, named);
  return project;
}

/** Reads without a lock. Throws the refusal of `RIGHTS`. */
export const requireRightTo = async (sql: Sql, actor: Recorder, right: Right, id: string) =>
  requireRight(await findActorsProject(sql, actor, id), right, { projectId: id });

/** Throws the error of `gone` if nothing was found or the actor may not see the project. Otherwise throws the refusal of `RIGHTS`. */
export async function requireChangeable<Found extends { projectId: string }>(
  sql: Sql,
  actor: Recorder,
  found: Found | undefined,
  gone: () => AppError,
): Promise<Found> {
  const project = found && (await findActorsProject(sql, actor, found.projectId));
  if (found === undefined || project === undefined) throw gone();
  requireRight(project, "change", { projectId: found.projectId });
  return found;
}

/**
 * Several verbs share this transaction, and none vets URLs or sends e-mails inside it. The caller vets URLs before the transaction and runs
 * `afterCommit` after it.
 */
export interface SharedTransaction {
  readonly sql: Sql;
  readonly afterCommit: (() => Promise<void>)[];
}

/** Locks the project's row, so that its owner and members cannot change. Throws the refusal of `RIGHTS`. */
export async function changeProject<Result>(
  { database, statusPages }: StoreDeps,
  actor: Recorder,
  right: Right,
  id: string,
  change: (sql: Sql, project: ActorsProject) => Promise<Result>,
  shared?: SharedTransaction,
): Promise<Result> {
  const work = async (sql: Sql) =>
    change(sql, requireRight(await lockActorsProject(sql, actor, id), right, { projectId: id }));
  const forget = async () => statusPages.forget(id);
  if (shared === undefined) return database.begin(work).finally(forget);
  shared.afterCommit.push(forget);
  return work(shared.sql);
}
