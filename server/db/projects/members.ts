import type { CallerRow, Read } from "../accounts/callers.ts";
import { isLiveInvitation } from "./invitations.ts";
import { parseId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";

/** Adds a member. */
export async function insertMember(sql: Sql, projectId: string, accountId: string): Promise<void> {
  await sql`
    insert into memberships (project_id, account_id) values (${projectId}, ${accountId})`;
}

/** Ends a membership; false if there is none. What was offered to the member ends with it. */
export async function deleteMember(
  sql: Sql,
  projectId: string,
  accountId: string,
): Promise<boolean> {
  const rows = await sql`
    delete from memberships
    where project_id = ${projectId} and account_id = ${accountId}
    returning project_id`;
  return rows.length === 1;
}

/** The account of the member with this address, who stays one until the transaction ends. */
export async function findMemberId(
  sql: Sql,
  projectId: string,
  email: string,
): Promise<string | undefined> {
  const [member] = await sql<{ id: string }>`
    select accounts.id from accounts join memberships on account_id = accounts.id
    where email = ${email} and project_id = ${projectId}
    for key share of memberships`;
  return member?.id;
}

/** Somebody with whom a project is shared, or who is invited to it, as its owner sees them. */
export interface Member {
  email: string;
  standing: "member" | "invited";
  /** When they were invited or, a member, when they accepted. */
  since: Date;
  /** Who invited them, if they have not answered. */
  invitedBy: string | null;
  /** True for a member to whom the project was offered. */
  isOffered: boolean;
}

export interface Members {
  /** The invited first, then members, each the latest first. */
  rows: Member[];
  hasMore: boolean;
  /** The present time, by the database's clock. */
  now: Date;
}

/** A part of those with whom the caller's own project is shared; `found` is undefined for a project of anybody else. */
export async function findMembers(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  part: { offset: number; rows: number },
): Promise<Read<Members> | undefined> {
  const rows = await sql.read<
    Member & { accountId: string; ownId: string | null; now: Date; email: string | null }
  >`
    select caller.account_id, own.id as own_id, members.*, now()
    from ${caller}
    left join projects own on own.id = ${parseId("prj", projectId)} and own.owner_id = caller.account_id
    left join lateral (
      select email, 'member' as standing, accepted_at as since, null as invited_by,
        exists (
          select from hand_overs
          where hand_overs.project_id = own.id and hand_overs.account_id = memberships.account_id
        ) as is_offered
      from memberships join accounts on accounts.id = memberships.account_id
      where memberships.project_id = own.id
      union all
      select invitations.email, 'invited', invited_at, coalesce(inviter.email, owner.email), false
      from invitations left join accounts inviter on inviter.id = invited_by
        join accounts owner on owner.id = own.owner_id
      where invitations.project_id = own.id and ${isLiveInvitation}
      order by standing, since desc, email offset ${part.offset} limit ${part.rows + 1}
    ) members on true
    order by standing, since desc, email`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const { accountId, ownId, now } = first;
  if (ownId === null) return { accountId, found: undefined };
  const members = rows.filter(({ email }) => email !== null);
  const found = { rows: members.slice(0, part.rows), hasMore: members.length > part.rows, now };
  return { accountId, found };
}
