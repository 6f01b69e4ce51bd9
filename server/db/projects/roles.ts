import type { ForAccount, Manager, Recorder } from "../accounts/actors.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import { isLiveInvitation } from "./invitations.ts";
import { lockProject } from "./projects.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export type Role = "owner" | "member" | "invited" | "stranger";

/** The operator has access to every project, without an account's role. */
export interface ActorsProject {
  id: string;
  name: string;
  url: string;
  ownerId: string;
  intervalSeconds: number | null;
  role: Exclude<Role, "stranger"> | "operator";
}

/** The role of an account itself, even if the operator acts for it. */
interface Self {
  readonly by: "self";
  readonly accountId: string;
}

export const selfOf = ({ accountId }: ForAccount<Manager>): Self => ({ by: "self", accountId });

type Who = Recorder | Self;

const roleOf = (accountId: string): Fragment => fragment`
  case
    when projects.owner_id = ${accountId} then 'owner'
    when exists (
      select from memberships
      where memberships.account_id = ${accountId} and memberships.project_id = projects.id
    ) then 'member'
    when exists (
      select from accounts join invitations on invitations.email = accounts.email
      where accounts.id = ${accountId} and invitations.project_id = projects.id and ${isLiveInvitation}
    ) then 'invited'
  end`;

/** No row if the actor is a stranger to the project. A hook has access only to its own project. */
export function actorsProject(actor: Who, id: string): Fragment {
  const role = actor.by === "operator" ? fragment`'operator'` : roleOf(actor.accountId);
  const isOfHook =
    actor.by === "hook" ? fragment`projects.id = ${actor.projectId}` : fragment`true`;
  return fragment`
    select projects.id, projects.name, projects.url, owner_id, interval_seconds, role from projects, lateral (select ${role} as role) found
    where projects.id = ${parseId("prj", id)} and owner_id is not null and role is not null and ${isOfHook}`;
}

export const findActorsProject = (sql: Sql, actor: Who, id: string) =>
  firstRow(sql<ActorsProject>`${actorsProject(actor, id)}`);

/**
 * The role holds until the transaction ends. The first read keeps strangers from locking anything. The second runs
 * under the lock, because the role may have changed while waiting.
 */
export async function lockActorsProject(
  sql: Sql,
  actor: Who,
  id: string,
): Promise<ActorsProject | undefined> {
  const project = await findActorsProject(sql, actor, id);
  if (project === undefined) return undefined;
  await lockProject(sql, project.id);
  return findActorsProject(sql, actor, id);
}
