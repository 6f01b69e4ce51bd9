import type { Sql } from "../../server/db/sql.ts";

/** How much there is of each kind. */
export interface Past {
  urls?: number;
  /** Each at one of the URLs. */
  open?: number;
  closed?: number;
  deployments?: number;
}

/**
 * Gives a project a past: watched URLs besides its address, incidents of each kind, one an hour, and deployments to production, one a
 * day, whose checks scored 60, 61, ... from the oldest on, and took so many milliseconds to the first byte.
 */
export async function insertPast(sql: Sql, projectId: string, past: Past): Promise<void> {
  const { urls = 0, open = 0, closed = 0, deployments = 0 } = past;
  const id = (prefix: string, kind: string) => `${prefix}_${kind}${projectId.slice(-13)}`;
  await sql`
    insert into watched_urls (id, project_id, url, last_outcome, last_checked_at, score)
    select ${id("url", "u")} || lpad(n::text, 6, '0'), ${projectId}, 'https://example.com/page-' || lpad(n::text, 6, '0'),
      'good', now(), 80 from generate_series(1, ${urls}::int) n`;
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
  await sql`
    update projects set state = case when ${open}::int > 0 then 'degraded' else 'up' end, state_since = now()
    where id = ${projectId}`;
}
