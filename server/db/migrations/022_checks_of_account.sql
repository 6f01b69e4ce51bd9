-- serves programs from schema 3 on
-- outside a transaction

-- An account's own checks, newest first; the accounts that are deleted and of which rows are left, and what is removed of them.
create index concurrently if not exists checks_of_account on checks (account_id, started_at, id) where kind = 'api';
create index concurrently if not exists accounts_deleted on accounts (id) where email is null;
create index concurrently if not exists drafts_by_account on drafts (account_id);
