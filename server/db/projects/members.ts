import { fragment, type Fragment } from "../driver/fragment.ts";
import { asList, type ListChoice } from "../paged-lists.ts";
import { isLiveInvitation } from "./invitations.ts";
import { parseId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstValue, isFound } from "../driver/rows.ts";

export const insertMember = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    insert into memberships (project_id, account_id) values (${projectId}, ${accountId})`);

/** Also ends the offers that depend on the membership. */
export const deleteMember = (sql: Sql, projectId: string, accountId: string) =>
  isFound(sql`
    delete from memberships
    where project_id = ${projectId} and account_id = ${accountId}
    returning project_id`);

/** The membership cannot end until the transaction ends. */
export const findMemberId = (sql: Sql, projectId: string, email: string) =>
  firstValue(sql<{ id: string }>`
    select accounts.id from accounts join memberships on account_id = accounts.id
    where email = ${email} and project_id = ${projectId}
    for key share of memberships`);

export const findMemberEmail = (sql: Sql, projectId: string, accountId: string) =>
  firstValue(sql.read<{ email: string }>`
    select email from accounts join memberships on account_id = accounts.id
    where accounts.id = ${parseId("acc", accountId)} and project_id = ${projectId}`);

export interface Member {
  accountId: string | null;
  email: string;
  standing: "member" | "invited";
  /** When the invitation was sent or, for a member, accepted. */
  since: Date;
  invitedBy: string | null;
  isOffered: boolean;
}

/** Has one row more than the page if there is a next page. */
export const shownMembers = ({ page, limit }: ListChoice): Fragment =>
  asList(
    fragment`
    select accounts.id as "accountId", email, 'member' as standing, accepted_at as since, null as "invitedBy",
      exists (
        select from hand_overs
        where hand_overs.project_id = projects.id and hand_overs.account_id = memberships.account_id
      ) as "isOffered"
    from memberships join accounts on accounts.id = memberships.account_id
    where memberships.project_id = projects.id
    union all
    select null, invitations.email, 'invited', invited_at, coalesce(inviter.email, owner.email), false
    from invitations left join accounts inviter on inviter.id = invited_by
      join accounts owner on owner.id = projects.owner_id
    where invitations.project_id = projects.id and ${isLiveInvitation}
    order by standing, since desc, email offset ${(page - 1) * limit}::int limit ${limit + 1}::int`,
    "since",
  );
