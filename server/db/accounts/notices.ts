import type { Preferences } from "./accounts.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { isNotice, type AccountEvent, type NoticeAction } from "./events.ts";
import { done } from "../driver/rows.ts";

export interface Notice extends Pick<AccountEvent, "id" | "at" | "by" | "browser"> {
  action: NoticeAction;
  name: string | null;
}

const COLUMNS = fragment`
  events.id::text, at, action, actor as by, browser, coalesce(
    (select name from tokens where tokens.id = details ->> 'tokenId'),
    (select name from passkeys where passkeys.id = details ->> 'passkeyId')) as name`;

const MAX_SHOWN = fragment`20`;
const MAX_CLAIMED = fragment`100`;

export const findNotices = (sql: Sql, accountId: string) =>
  sql.read<Notice>`
    select ${COLUMNS} from events
    where account_id = ${accountId} and ${isNotice}
      and at > now() - interval '30 days' and id > (select notices_seen from accounts where id = ${accountId})
    order by events.id limit ${MAX_SHOWN}`;

/** An id from the future must not hide later notices. */
export const dismissNotices = (sql: Sql, accountId: string, upTo: string) =>
  done(sql`
    update accounts set notices_seen = greatest(notices_seen, least(${upTo}::text::bigint,
      (select max(id) from events where account_id = ${accountId})))
    where id = ${accountId}`);

export interface PendingNotice extends Notice, Preferences {
  accountId: string;
  email: string;
}

/** Discards notices older than an hour. */
export const claimPendingNotices = (sql: Sql) =>
  sql<PendingNotice>`
    with taken as (
      update events set is_untold = false where id in (
        select id from events where is_untold order by id limit ${MAX_CLAIMED} for update skip locked
      ) returning *
    )
    select ${COLUMNS}, account_id, email, language, time_zone
    from taken events join accounts on accounts.id = account_id
    where at > now() - interval '1 hour' and email is not null
    order by events.id`;
