import type { Sql } from "../../server/db/driver/sql.ts";

/** Stores the score of each deployment that has a check, as the deployment's verification does. */
export const scoreShips = (sql: Sql) => sql`
  insert into scores (project_id, at, score, verdict, ruleset, deployment_id, previous_score)
  select deployments.project_id, started_at, score, verdict, coalesce(ruleset, '2026.1'), deployments.id,
    lag(score) over (partition by deployments.project_id, environment order by deployed_at, deployments.id)
  from deployments join checks on checks.id = check_id
  on conflict do nothing`;

/** The number of rows of each kind. */
export interface Past {
  urls?: number;
  /** Each incident is at a different URL of the project. */
  open?: number;
  closed?: number;
  deployments?: number;
}

/**
 * Gives a project a past: more watched URLs, incidents of each kind, one an hour, and production deployments, one a day. The scores of
 * their checks are 60, 61 and so on from the oldest. The time to first byte in milliseconds is the same number.
 */
export async function insertPast(sql: Sql, projectId: string, past: Past): Promise<void> {
  const { urls = 0, open = 0, closed = 0, deployments = 0 } = past;
  const id = (prefix: string, kind: string) => `${prefix}_${kind}${projectId.slice(-13)}`;
  await sql`
    insert into watched_urls (id, project_id, url, score, scored_at)
    select ${id("url", "u")} || lpad(n::text, 6, '0'), ${projectId}, 'https://example.com/page-' || lpad(n::text, 6, '0'),
      80, now() from generate_series(1, ${urls}::int) n`;
  await sql`
    update looks set last_outcome = 'good', looked_at = now(), first_looked_at = now(), verified_at = now()
    from watched_urls
    where watched_urls.number = looks.number and project_id = ${projectId} and watched_urls.id like ${id("url", "u")} || '%'`;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    select ${id("inc", "o")} || lpad(n::text, 6, '0'), ${id("url", "u")} || lpad(n::text, 6, '0'), ${projectId},
      'https://example.com/page-' || lpad(n::text, 6, '0'), now() - n * interval '1 hour',
      '{"fr": "Le serveur répond 500.", "en": "The server answers 500."}', now()
    from generate_series(1, ${open}::int) n`;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, closed_at)
    select ${id("inc", "c")} || lpad(n::text, 6, '0'), 'url_gone', ${projectId},
      'https://example.com/past-' || lpad(n::text, 6, '0'), now() - n * interval '1 hour' - interval '30 minutes',
      '{"fr": "Le serveur répond 503.", "en": "The server answers 503."}', now(), now() - n * interval '1 hour'
    from generate_series(1, ${closed}::int) n`;
  await sql`
    insert into checks (id, kind, project_id, host, state, lease_until, score, verdict, ruleset, evidence, first_byte_ms)
    select ${id("chk", "d")} || lpad(n::text, 6, '0'), 'deployment', ${projectId}, 'example.com', 'done', now(),
      60 + (${deployments}::int - n) % 40, 'ship_with_warnings', '2026.1', '\\x00', 60 + (${deployments}::int - n) % 40
    from generate_series(1, ${deployments}::int) n`;
  await sql`
    insert into deployments (id, project_id, url, environment, commit, ref, deployed_at, check_id)
    select ${id("dep", "d")} || lpad(n::text, 6, '0'), ${projectId}, 'https://example.com/', 'production',
      lpad(to_hex(n), 40, 'a'), 'main', now() - n * interval '1 day', ${id("chk", "d")} || lpad(n::text, 6, '0')
    from generate_series(1, ${deployments}::int) n`;
  await scoreShips(sql);
  await sql`
    update projects set state = case when ${open}::int > 0 then 'degraded' else 'up' end, state_since = now()
    where id = ${projectId}`;
}

/** Sums up a project's hours by day, as the probes at the start of the next hour do. */
export const sumUpDays = (sql: Sql, projectId: string) => sql`
  insert into days (number, day, looks, good, first_byte_sum)
  select number, date_trunc('day', hour, 'UTC'), sum(looks), sum(looks - failed - inconclusive), sum(first_byte_sum)
  from watched_urls join hours using (number) where project_id = ${projectId} group by 1, 2
  on conflict (number, day) do update set looks = excluded.looks, good = excluded.good, first_byte_sum = excluded.first_byte_sum`;

/**
 * Gives one or all URLs of a project this many days of statistics, up to today. Each day has 12 probes an hour and one verification. Every
 * third day has an incident of one hour.
 */
export async function insertDays(
  sql: Sql,
  projectId: string,
  days: number,
  isOfAll = false,
): Promise<void> {
  await sql`
    insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
    select number, hour, 12, 0, 0, 12 * (60 + extract(day from hour)::int), 120
    from watched_urls, generate_series(date_trunc('day', now(), 'UTC') - (${days}::int - 1) * interval '24 hours',
      now(), interval '1 hour') hour
    where project_id = ${projectId} and (is_address or ${isOfAll}::boolean)
    on conflict (number, hour) do nothing`;
  await sumUpDays(sql, projectId);
  await sql`
    insert into scores (project_id, number, at, score, verdict, ruleset)
    select project_id, number, day, 80 + n % 10, 'ship', '2026.2'
    from watched_urls, generate_series(1, ${days}::int) n,
      lateral (select date_trunc('day', now(), 'UTC') - (n - 1) * interval '24 hours' as day) days
    where project_id = ${projectId} and (is_address or ${isOfAll}::boolean)`;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, closed_at, reason, last_checked_at)
    select 'inc_h' || right(id, 13) || lpad(n::text, 6, '0'), id, project_id, url, day, day + interval '1 hour',
      '{"fr": "Le serveur répond 500.", "en": "The server answers 500."}', day
    from watched_urls, generate_series(3, ${days}::int, 3) n,
      lateral (select date_trunc('day', now(), 'UTC') - (n - 1) * interval '24 hours' as day) days
    where project_id = ${projectId} and (is_address or ${isOfAll}::boolean)
    on conflict (id) do nothing`;
}

/** Adds incoming webhooks and alerts to a project, each with a delivery of every outcome and state. */
export async function insertTargets(
  sql: Sql,
  projectId: string,
  { hooks, alerts }: { hooks: number; alerts: number },
): Promise<void> {
  const id = (prefix: string) => `${prefix}_${projectId.slice(-14)}`;
  await sql`
    insert into hooks (id, project_id, provider, secret, is_handed_over)
    select ${id("hook")} || lpad(n::text, 6, '0'), ${projectId}, (array['github', 'vercel', 'netlify', 'gitlab', 'plain'])[1 + n % 5],
      case when n % 5 > 0 then '\\x00'::bytea end, n % 5 = 0
    from generate_series(1, ${hooks}::int) n`;
  await sql`
    insert into hook_deliveries (id, hook_id, event, outcome)
    select 'hdl_' || right(hooks.id, 16) || nr, hooks.id, 'deployment_status', outcome
    from hooks, unnest(array['recorded', 'ignored: state pending', 'ignored: already the last ship', 'refused: signature',
      'refused: clock']) with ordinality as seen(outcome, nr)
    where project_id = ${projectId}`;
  await sql`
    insert into recipients (id, project_id, address_hash)
    select right(${projectId}, 14) || lpad(n::text, 8, '0'), ${projectId}, decode(lpad(n::text, 64, '0'), 'hex')
    from generate_series(1, ${alerts}::int) n on conflict do nothing`;
  await sql`
    insert into alerts (id, project_id, kind, target, host, recipient_id, tells_incidents, tells_ships, tells_drops, state)
    select ${id("alr")} || lpad(n::text, 6, '0'), ${projectId}, (array['webhook', 'slack', 'discord', 'email'])[1 + n % 4],
      '\\x00', 'alerts-' || n || '.example.com', right(${projectId}, 14) || lpad(n::text, 8, '0'), true, n % 2 = 0, true,
      (array['active', 'paused', 'ended', 'handed_over', 'waiting'])[1 + n % 5]
    from generate_series(1, ${alerts}::int) n`;
  await sql`
    insert into messages (id, alert_id, project_id, type, data, state, attempts, error)
    select 'msg_' || right(alerts.id, 16) || nr, alerts.id, project_id, type, '{}', message.state, nr, error
    from alerts, (values (1, 'incident.opened', 'sent', null), (2, 'incident.closed', 'pending', 'timeout'),
      (3, 'ship.scored', 'dead', 'not_allowed'), (4, 'summary', 'dead', 'untrusted'), (5, 'test', 'dead', 'status_500'))
      as message(nr, type, state, error)
    where project_id = ${projectId}`;
}
