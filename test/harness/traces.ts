import type { Sql } from "../../server/db/driver/sql.ts";

/** Adds what `size` people and one account left behind: events, sessions, links, drafts, buckets, revoked tokens. */
export async function insertTraces(sql: Sql, accountId: string, size: number): Promise<void> {
  await sql`
    insert into events (action, account_id, project_id, actor, actor_id, address, at)
    select 'token.created', 'acc_' || lpad(n::text, 20, '0'), 'prj_' || lpad((n % 1000)::text, 20, '0'), 'session',
      case when n % 50 = 0 then ${accountId} else 'acc_' || lpad(n::text, 20, '0') end, '192.0.2.1',
      now() - (${size} - n) * interval '5 minutes'
    from generate_series(1, ${size}::int) n`;
  await sql`
    insert into events (action, account_id, actor, at)
    select 'account.plan_changed', ${accountId}, 'operator', now() - (${size} / 20 - n) * interval '1 hour'
    from generate_series(1, ${size}::int / 20) n`;
  await sql`
    insert into sessions (id, account_id, fingerprint, browser, address)
    select 'ses_' || n, 'acc_' || lpad(n::text, 20, '0'), sha256(n::text::bytea), 'Firefox', '192.0.2.1'
    from generate_series(1, ${size}::int) n`;
  await sql`
    insert into links (fingerprint, kind, email, expires_at)
    select sha256(n::text::bytea), 'sign_up', n || '@example.net', now() + interval '1 hour' from generate_series(1, ${size}::int) n`;
  await sql`
    insert into drafts (id, account_id, action, fields, expires_at)
    select 'draft' || n, 'acc_' || lpad(n::text, 20, '0'), '/', '{}', now() + interval '1 hour'
    from generate_series(1, ${size}::int) n`;
  await sql`
    insert into buckets (key, full_at)
    select sha256(n::text::bytea), now() + interval '1 hour' from generate_series(1, ${size}::int) n`;
  await sql`
    insert into tokens (id, account_id, name, fingerprint, revoked_at)
    select 'tok_r' || lpad(n::text, 19, '0'), case when n % 10 = 0 then ${accountId} else 'acc_' || lpad(n::text, 20, '0') end,
      'old', sha256(('old' || n)::bytea), now() - n * interval '1 minute'
    from generate_series(1, ${size}::int) n`;
}
