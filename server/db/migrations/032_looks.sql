-- serves programs from schema 3 on

-- The key of the rows that belong to a watched URL and are written often.
alter table watched_urls add column number bigint generated always as identity;
create unique index watched_urls_by_number on watched_urls (number);

-- What each look at a watched URL changes, apart from what it does not, so that a look writes narrow rows; in each page
-- there is room for newer versions of its rows. `streak` counts the last conclusive looks in a row that ended like
-- `last_outcome`. `looks` and what follows are those of `hour`, the hour that runs; `first_byte_*` (milliseconds) are of
-- its good looks alone.
create table looks (
  number bigint primary key,
  due_at timestamptz not null,
  claim_id uuid,
  lease_until timestamptz,
  looked_at timestamptz,
  first_looked_at timestamptz,
  verified_at timestamptz,
  failing_since timestamptz,
  last_outcome text check (last_outcome in ('good', 'failed')),
  streak integer not null default 0,
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

insert into looks (number, due_at, lease_until, looked_at, first_looked_at, verified_at, failing_since, last_outcome, streak)
select number, next_look_at, lease_until, last_checked_at, last_checked_at, scored_at, failing_since, last_outcome, streak
from watched_urls;
create index looks_due on looks (due_at);

-- The part of an interval after which a row is looked at in each interval: multiples of the golden ratio lie evenly,
-- however many there are.
create function phase_of(number bigint) returns float8 language sql immutable parallel safe as $$
  select number * 0.6180339887498949 - floor(number * 0.6180339887498949)
$$;

-- A watched URL is looked at at once; of many that are added together, those beyond the first 1,500 in five minutes.
create function add_looks() returns trigger language plpgsql as $$
begin
  insert into looks (number, due_at, looked_at, first_looked_at, verified_at, failing_since, last_outcome, streak)
  select number,
    next_look_at + interval '5 minutes' * case when row_number() over (order by number) <= 1500 then 0 else phase_of(number) end,
    last_checked_at, last_checked_at, scored_at, failing_since, last_outcome, streak
  from added;
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

-- Programs of schema 31 and earlier claim rows of `watched_urls` and write the results there. Their claim passes only
-- where the row in `looks` is due and free (a claim of theirs that came before its time is a round's), and knows the
-- outcome of the looks since. Their result is carried over, unless another program has claimed the row meanwhile.
create function carry_look_over() returns trigger language plpgsql as $$
begin
  if new.look_id is not null and new.look_id is distinct from old.look_id then
    update looks set claim_id = md5(new.look_id)::uuid, lease_until = new.lease_until
    where number = new.number and (lease_until is null or lease_until <= now())
      and (due_at <= now() or old.next_look_at > now())
    returning last_outcome, streak, failing_since, looked_at
    into new.last_outcome, new.streak, new.failing_since, new.last_checked_at;
    if found then
      return new;
    end if;
    return null;
  end if;
  update looks set
    claim_id = case when new.look_id is null and old.look_id is not null then null else claim_id end,
    lease_until = case when new.look_id is null and old.look_id is not null then null else lease_until end,
    due_at = case when new.next_look_at is distinct from old.next_look_at then new.next_look_at else due_at end,
    looked_at = new.last_checked_at, first_looked_at = coalesce(first_looked_at, new.last_checked_at),
    verified_at = greatest(verified_at, new.scored_at), failing_since = new.failing_since,
    last_outcome = new.last_outcome, streak = new.streak
  where number = new.number
    and (old.look_id is null or new.look_id is not null or claim_id = md5(old.look_id)::uuid)
    and (claim_id is not null or new.next_look_at is distinct from old.next_look_at
      or (looked_at, failing_since, last_outcome, streak)
        is distinct from (new.last_checked_at, new.failing_since, new.last_outcome, new.streak));
  if not found and old.look_id is not null and new.look_id is null and new.last_checked_at is distinct from old.last_checked_at then
    raise exception 'The claim of this look is over.';
  end if;
  return new;
end
$$;
create trigger carry_look_over
before update of look_id, lease_until, next_look_at, last_checked_at, last_outcome, streak, failing_since on watched_urls
for each row execute function carry_look_over();
