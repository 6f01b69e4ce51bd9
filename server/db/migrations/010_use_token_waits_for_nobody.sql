-- serves programs from schema 3 on

-- Reads share connections, so that none of them may wait for a row: a token that is being written to, by a use at the same
-- moment or by its revocation, is not noted as used again.
create or replace function use_token(token_id text) returns boolean language plpgsql as $$
begin
  perform from tokens
  where id = token_id and revoked_at is null
    and (last_used_at is null or last_used_at < date_trunc('minute', now()))
  for no key update skip locked;
  if found then
    update tokens set last_used_at = now() where id = token_id;
  end if;
  return exists (select from tokens where id = token_id and revoked_at is null);
end
$$;
