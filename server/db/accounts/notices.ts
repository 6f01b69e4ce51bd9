import type { Preferences } from "./accounts.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { isNoticed, type AccountEvent, type Noticed } from "./events.ts";
import { done } from "../driver/rows.ts";

/** Something that may harm an account, of which the account is told. */
export interface Notice extends Pick<AccountEvent, "id" | "at" | "by" | "browser"> {
  action: Noticed;
  /** What the account calls the token or the passkey that it is about, while there is one. */
  name: string | null;
}

const COLUMNS = fragment`
  events.id::text, at, action, actor as by, browser, coalesce(
    (select name from tokens where tokens.id = details ->> 'tokenId'),
    (select name from passkeys where passkeys.id = details ->> 'passkeyId')) as name`;

const MAX_SHOWN = fragment`20`;
const MAX_CLAIMED = fragment`100`;

/** What an account has not dismissed within 30 days: the oldest of it, the newest last. */
export const findNotices = (sql: Sql, accountId: string) =>
  sql.read<Notice>`
    select ${COLUMNS} from events
    where account_id = ${accountId} and ${isNoticed}
      and at > now() - interval '30 days' and id > (select notices_seen from accounts where id = ${accountId})
    order by events.id limit ${MAX_SHOWN}`;

/** Dismisses the notices up to one, as far as there are any: what happens later is shown whatever was sent. */
export const dismissNotices = (sql: Sql, accountId: string, upTo: string) =>
  done(sql`
    update accounts set notices_seen = greatest(notices_seen, least(${upTo}::text::bigint,
      (select max(id) from events where account_id = ${accountId})))
    where id = ${accountId}`);

export interface UntoldNotice extends Notice, Preferences {
  accountId: string;
  email: string;
}

/** Takes the notices that nobody was told of, the oldest first; of those older than an hour nobody is told any more. */
export const takeUntoldNotices = (sql: Sql) =>
  sql<UntoldNotice>`
    with taken as (
      update events set is_untold = false where id in (
        select id from events where is_untold order by id limit ${MAX_CLAIMED} for update skip locked
      ) returning *
    )
    select ${COLUMNS}, account_id, email, language, time_zone
    from taken events join accounts on accounts.id = account_id
    where at > now() - interval '1 hour' and email is not null
    order by events.id`;
