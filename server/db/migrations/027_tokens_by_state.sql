-- serves programs from schema 3 on
-- outside a transaction

create index concurrently if not exists tokens_active on tokens (account_id, created_at) where revoked_at is null;
create index concurrently if not exists tokens_revoked on tokens (account_id, revoked_at, id) where revoked_at is not null;
