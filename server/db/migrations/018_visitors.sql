-- serves programs from schema 3 on

-- What visitors of the public scan are hashed with, a day each (UTC), and what their challenges are signed with.
create table salts (
  day date primary key,
  salt bytea not null
);

-- The challenges that were met, until they expire: each counts once, over all servers.
create table used_challenges (
  challenge text primary key,
  expires_at timestamptz not null
);
create index used_challenges_by_expiry on used_challenges (expires_at);

-- What the owner of an origin says about public scans: the URL of the file that refuses them, or null.
create table owner_answers (
  origin text primary key,
  refused_in text,
  expires_at timestamptz not null
);
create index owner_answers_by_expiry on owner_answers (expires_at);
