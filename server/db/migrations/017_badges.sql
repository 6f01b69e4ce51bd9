-- serves programs from schema 3 on

-- The id by which a project's badge is asked for; null while it is switched off.
alter table projects add column badge_id text;
-- When `score` was seen, which the last look need not have done. Programs of schema 16 and earlier leave it as it is.
alter table watched_urls add column scored_at timestamptz;
