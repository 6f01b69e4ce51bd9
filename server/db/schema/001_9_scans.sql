-- The lock for starting and claiming scans, so that all servers share their limits. Only the functions below take it,
-- and only while they run; they lock `scans` and `checks` after it.
create table scan_gate (
  is_only_row boolean primary key default true check (is_only_row)
);
insert into scan_gate default values;

-- `url` is masked. `exact_url` is null once the scan has ended. A check has the id of its scan's current claim.
create table scans (
  id text primary key,
  url text not null,
  url_hash bytea not null,
  exact_url text,
  host text not null,
  visitor text,
  delete_key_hash bytea not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  step text,
  started_at timestamptz not null,
  tries integer not null default 0,
  check_id text,
  lease_until timestamptz,
  result_fr text,
  result_en text,
  failure jsonb,
  check ((exact_url is not null and visitor is not null) = (state in ('waiting', 'running')))
);
create index scans_by_url on scans (url_hash, started_at);
create index scans_waiting on scans (started_at, id) where state = 'waiting';
create index scans_running on scans (lease_until) where state = 'running';
create index scans_of_visitor on scans (visitor) where visitor is not null;
create index scans_by_age on scans (started_at);

-- The starts that the limits per hour and day count. A row stays for a day even if its scan is deleted.
create table scan_starts (
  id bigint generated always as identity primary key,
  visitor text not null,
  host text not null,
  started_at timestamptz not null
);
create index scan_starts_of_visitor on scan_starts (visitor, started_at);
create index scan_starts_of_host on scan_starts (host, started_at);
create index scan_starts_by_age on scan_starts (started_at);

-- A day's (UTC) salt for hashing visitors and signing their challenges.
create table salts (
  day date primary key,
  salt bytea not null
);

create table robots_permissions (
  origin text primary key,
  refuses boolean not null,
  expires_at timestamptz not null
);
create index robots_permissions_by_expiry on robots_permissions (expires_at);

-- `today` is the visitor's hash to store, `recent` those to search for.
create function start_scan(
  scan_id text, masked_url text, hash_of_url bytea, asked_url text, asked_host text, today text, recent text[],
  hash_of_key bytea, is_again boolean, bounds jsonb,
  out outcome text, out found_id text, out found_url text, out retry_seconds integer
) language plpgsql as $$
declare
  reuse_time interval := make_interval(secs => (bounds ->> 'reuseSeconds')::integer);
  again_time interval := make_interval(secs => (bounds ->> 'againSeconds')::integer);
  asked_at timestamptz;
  newest_at timestamptz;
  free_at timestamptz;
begin
  perform from scan_gate for update;
  -- Read after the lock, so that everything started before is counted and is earlier.
  asked_at := clock_timestamp();

  select id, url, started_at into found_id, found_url, newest_at from scans
  where url_hash = hash_of_url and state <> 'failed' and started_at > asked_at - reuse_time
  order by started_at desc limit 1;
  if found_id is not null and not is_again then
    outcome := 'reused';
    return;
  end if;
  if newest_at > asked_at - again_time then
    outcome := 'too_soon';
    retry_seconds := ceil(extract(epoch from newest_at + again_time - asked_at));
    return;
  end if;

  select used.bound, used.free_at into outcome, free_at from (values
    ('visitor_hour', (
      select started_at + interval '1 hour' from scan_starts where visitor = any (recent)
      order by started_at desc offset (bounds ->> 'visitorHour')::integer - 1 limit 1
    )),
    ('visitor_day', (
      select started_at + interval '1 day' from scan_starts where visitor = any (recent)
      order by started_at desc offset (bounds ->> 'visitorDay')::integer - 1 limit 1
    )),
    ('host_hour', (
      select started_at + interval '1 hour' from scan_starts where host = asked_host
      order by started_at desc offset (bounds ->> 'hostHour')::integer - 1 limit 1
    ))
  ) as used (bound, free_at)
  where used.free_at > asked_at order by used.free_at desc limit 1;
  if outcome is not null then
    retry_seconds := ceil(extract(epoch from free_at - asked_at));
    return;
  end if;

  if (select count(*) from scans where visitor = any (recent)) >= (bounds ->> 'visitorAtOnce')::integer then
    outcome := 'visitor_at_once';
    return;
  end if;
  if (select count(*) from scans where state = 'waiting') >= (bounds ->> 'queue')::integer then
    outcome := 'queue_full';
    return;
  end if;

  insert into scans (id, url, url_hash, exact_url, host, visitor, delete_key_hash, state, started_at)
  values (scan_id, masked_url, hash_of_url, asked_url, asked_host, today, hash_of_key, 'waiting', asked_at);
  insert into scan_starts (visitor, host, started_at) values (today, asked_host, asked_at);
  outcome := 'started';
end
$$;

-- A scan whose process died is claimed again, up to `max_tries` times.
create function claim_scan(
  new_check_id text, at_once integer, max_tries integer, interrupted jsonb, lease interval
) returns setof scans language plpgsql as $$
declare
  claimed_at timestamptz;
  next_id text;
  abandoned_id text;
begin
  perform from scans where state = 'waiting' or (state = 'running' and lease_until < now()) limit 1;
  if not found then
    return;
  end if;
  perform from scan_gate for update;
  claimed_at := clock_timestamp();

  update scans set state = 'failed', failure = interrupted, exact_url = null, visitor = null, step = null
  where state = 'running' and lease_until < claimed_at and tries >= max_tries;
  if (select count(*) from scans where state = 'running' and lease_until >= claimed_at) >= at_once then
    return;
  end if;
  select id, check_id into next_id, abandoned_id from scans
  where state = 'waiting' or (state = 'running' and lease_until < claimed_at)
  order by started_at, id limit 1 for update skip locked;
  delete from checks where id = abandoned_id and state <> 'done';
  return query
    update scans set state = 'running', step = 'vetting', check_id = new_check_id, tries = tries + 1,
      lease_until = claimed_at + lease
    where id = next_id
    returning *;
end
$$;
