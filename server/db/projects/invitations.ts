import type { CallerRow, Read } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstValue, onlyRow } from "../driver/rows.ts";

export const isLiveInvitation: Fragment = fragment`
  invitations.invited_at > now() - interval '14 days'`;

export interface Invitee {
  accountId: string | null;
  isMember: boolean;
  isInvited: boolean;
  members: number;
  owner: string;
}

const peopleOf = (projectId: string): Fragment => fragment`
  ((select count(*) from memberships where project_id = ${projectId})
    + (select count(*) from invitations where project_id = ${projectId} and ${isLiveInvitation}))::int`;

export const findInvitee = (sql: Sql, projectId: string, email: string) =>
  onlyRow(sql.read<Invitee>`
    select account.id as account_id,
      exists (
        select from memberships
        where account_id = account.id and project_id = ${projectId}
      ) as is_member,
      exists (
        select from invitations
        where invitations.email = ${email} and project_id = ${projectId} and ${isLiveInvitation}
      ) as is_invited,
      ${peopleOf(projectId)} as members,
      (select email from accounts where id = (select owner_id from projects where id = ${projectId})) as owner
    from (select (select id from accounts where email = ${email}) as id) account`);

export function upsertInvitation(
  sql: Sql,
  invitation: { projectId: string; email: string; invitedBy: string | null },
) {
  const { projectId, email, invitedBy } = invitation;
  return done(sql`
    insert into invitations (project_id, email, invited_by) values (${projectId}, ${email}, ${invitedBy})
    on conflict (email, project_id) do update set invited_at = now(), invited_by = excluded.invited_by`);
}

export const deleteInvitation = (sql: Sql, projectId: string, email: string) =>
  firstValue(sql<{ isLive: boolean }>`
    delete from invitations where project_id = ${projectId} and email = ${email}
    returning ${isLiveInvitation} as is_live`).then(Boolean);

export interface Offer {
  of: "membership" | "ownership";
  projectId: string;
  projectName: string;
  /** The e-mail address of the account that made the offer. */
  by: string | null;
}

/** Offers on a page; answering one makes room for the next. */
const OFFERS = 20;

export async function listOffers(sql: Sql, caller: CallerRow): Promise<Read<Offer[]> | undefined> {
  const rows = await sql.read<Offer & { accountId: string }>`
    select caller.account_id, of, project_id, project_name, by
    from ${caller}
    left join lateral (
      select 'ownership' as of, projects.id as project_id, name as project_name, owner.email as by, offered_at as at
      from hand_overs join projects on projects.id = project_id join accounts owner on owner.id = owner_id
      where hand_overs.account_id = caller.account_id
      union all (
        select 'membership', projects.id, name, coalesce(inviter.email, owner.email), invited_at
        from accounts invited
        join invitations on invitations.email = invited.email
        join projects on projects.id = project_id
        join accounts owner on owner.id = owner_id
        left join accounts inviter on inviter.id = invited_by
        where invited.id = caller.account_id and ${isLiveInvitation} and owner_id <> caller.account_id
          and not exists (
            select from memberships
            where account_id = caller.account_id and memberships.project_id = projects.id
          )
        order by invited_at desc limit ${OFFERS}
      )
    ) offers on true
    order by at desc, project_id limit ${OFFERS}`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const found: Offer[] = rows.filter(({ projectId }) => projectId !== null);
  return { accountId: first.accountId, found };
}
