-- `number` is the key of rows about a watched URL that are written often. The newest check is deleted with the URL,
-- unless it is that of a deployment. `fails_from` is the only location from which the URL fails. `status_label` is null
-- if the status page does not show the URL. `domain` is the registrable domain; null means the host.
create table watched_urls (
  id text primary key,
  number bigint generated always as identity,
  project_id text not null references projects (id),
  url text not null,
  domain text,
  is_address boolean not null default false,
  paused_at timestamptz,
  score integer,
  scored_at timestamptz,
  newest_check_id text,
  fails_from text,
  status_label text check (length(status_label) between 1 and 60),
  unique (project_id, url)
);
create unique index watched_urls_by_number on watched_urls (number);
create index watched_urls_on_status_page on watched_urls (project_id) where status_label is not null;
create unique index watched_urls_address on watched_urls (project_id) where is_address;

-- Separate from `watched_urls`, so that the rows that each probe writes are narrow; pages have room for new versions.
-- `account` is the owner's number. `domain` limits the rate of probes. `silences` counts the last probes in a row
-- without an answer; after two, the URL is silent. `streak` counts the last conclusive probes in a row with
-- `last_outcome`; `failed_from` has their locations if they failed. `look_from` is the location for the next probe,
-- `not_from` one that must not make it. `interval_seconds` is a copy, so that a probe need not read the project.
-- `looks` and the counts beside it are for the current hour; `first_byte_*` (milliseconds) count only good probes. A
-- paused URL is due at `infinity`.
create table looks (
  number bigint primary key,
  account bigint not null,
  domain text not null,
  is_silent boolean not null default false,
  due_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz,
  looked_at timestamptz,
  first_looked_at timestamptz,
  verified_at timestamptz,
  failing_since timestamptz,
  last_outcome text check (last_outcome in ('good', 'failed')),
  streak integer not null default 0,
  failed_from text[],
  look_from text,
  not_from text,
  interval_seconds smallint,
  silences smallint not null default 0,
  hour timestamptz,
  first_byte_sum integer not null default 0,
  first_byte_max integer not null default 0,
  looks smallint not null default 0,
  failed smallint not null default 0,
  inconclusive smallint not null default 0
) with (
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.5
);
create index looks_due on looks (is_silent, account, due_at);

-- The results of probes by URL and hour; those of the current hour are still in `looks`. `first_byte_*` (milliseconds)
-- count only good probes. This table is most of the cost of history, so a row has only 52 bytes. The key begins with
-- the hour: new rows are written next to each other, and old ones are found by it.
create table hours (
  hour timestamptz not null,
  number integer not null,
  first_byte_sum integer not null,
  first_byte_max smallint not null,
  looks smallint not null,
  failed smallint not null,
  inconclusive smallint not null,
  primary key (hour, number)
);

-- The sums of `hours` by day (UTC), which history reads. An hour is added to its day when it is written. `good` counts
-- the probes that neither failed nor were inconclusive. A row changes 24 times, so each page has room for new versions.
create table days (
  day timestamptz not null,
  number integer not null,
  looks integer not null,
  good integer not null,
  first_byte_sum integer not null,
  primary key (day, number)
) with (fillfactor = 70);

-- Stored forever. `changed` lists the findings that differ from the previous verification; null if none do.
-- `previous_score` is that of the previous deployment.
create table scores (
  number bigint,
  at timestamptz not null default now(),
  score smallint not null,
  previous_score smallint,
  project_id text not null references projects (id),
  verdict text not null,
  ruleset text not null,
  deployment_id text,
  changed text[]
);
create index scores_by_url on scores (number, at) where number is not null;
create index scores_by_project on scores (project_id);
create unique index scores_by_deployment on scores (deployment_id) where deployment_id is not null;

-- A server that is `set_aside` does not assess failures, because most URLs that fail there work from elsewhere.
create table servers (
  id text primary key,
  version text not null,
  location text,
  set_aside boolean not null default false,
  looks_per_second double precision not null,
  lag_seconds double precision not null,
  last_seen_at timestamptz not null default now()
);

-- The fraction of the interval at which a URL is probed. Multiples of the golden ratio are always spread evenly.
create function phase_of(number bigint) returns float8 language sql immutable parallel safe as $$
  select number * 0.6180339887498949 - floor(number * 0.6180339887498949)
$$;

-- Of many URLs added together, those beyond the first 1,500 are spread over five minutes.
create function add_looks() returns trigger language plpgsql as $$
begin
  insert into looks (number, account, domain, interval_seconds, due_at)
  select added.number, accounts.number, coalesce(domain, substring(added.url from '//([^/?#:]+)')), projects.interval_seconds,
    case when paused_at is not null then 'infinity' else now() + interval '5 minutes'
      * case when row_number() over (order by added.number) <= 1500 then 0 else phase_of(added.number) end end
  from added join projects on projects.id = project_id join accounts on accounts.id = owner_id;
  return null;
end
$$;
create trigger add_looks after insert on watched_urls
referencing new table as added for each statement execute function add_looks();

create function remove_looks() returns trigger language plpgsql as $$
begin
  delete from looks using removed where looks.number = removed.number;
  return null;
end
$$;
create trigger remove_looks after delete on watched_urls
referencing old table as removed for each statement execute function remove_looks();

create function delete_newest_checks() returns trigger language plpgsql as $$
begin
  delete from checks using gone
  where checks.id = gone.newest_check_id and kind = 'cycle';
  return null;
end
$$;
create trigger watched_urls_gone after delete on watched_urls
referencing old table as gone for each statement execute function delete_newest_checks();
