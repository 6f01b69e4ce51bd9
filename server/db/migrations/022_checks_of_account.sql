-- serves programs from schema 3 on
-- outside a transaction

-- An account's own checks, newest first.
create index concurrently if not exists checks_of_account on checks (account_id, started_at, id) where kind = 'api' and state = 'done';
