import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { firstValue } from "../driver/rows.ts";

const MAX_NETWORKS = fragment`100`;
export const NETWORK_RETENTION = fragment`interval '90 days'`;

/** Returns false for an account's first network. Takes no lock, so concurrent sign-ins may record a network twice. */
export const recordNetwork = (sql: Sql, accountId: string, network: string) =>
  firstValue(sql<{ isNew: boolean }>`
    with account as (
      select id, created_at, sha256(network_key || ${network}::text::bytea) as fingerprint from accounts where id = ${accountId}
    ), known as (
      select fingerprint, seen_at from networks where account_id = ${accountId} and seen_at > now() - ${NETWORK_RETENTION}
    ), noted as (
      insert into networks (account_id, fingerprint) select id, fingerprint from account
      where not exists (
        select from known where known.fingerprint = account.fingerprint and seen_at > now() - interval '1 day'
      )
      returning fingerprint
    ), forgotten as (
      delete from networks where account_id = ${accountId} and (
        fingerprint = (select fingerprint from noted)
        or ctid = any(array(
          select ctid from networks where account_id = ${accountId} order by seen_at desc offset ${MAX_NETWORKS}
        ))
      )
    )
    select not exists (select from known where known.fingerprint = account.fingerprint)
      and (exists (select from known) or created_at < now() - ${NETWORK_RETENTION}) as is_new
    from account`).then(Boolean);
