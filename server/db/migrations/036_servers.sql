-- serves programs from schema 3 on

-- The servers that run: each writes its row every 10 s, and removes it when it ends in order.
create table servers (
  id text primary key,
  version text not null,
  looks_per_second double precision not null,
  lag_seconds double precision not null,
  last_seen_at timestamptz not null default now()
);
