-- Keeps an active token's last use and says whether it still is one. A query calls it once the stored minute is over:
-- an update inside every authenticated query, which seldom finds a row, cost those queries a third of their time.
create function use_token(token_id text) returns boolean language plpgsql as $$
begin
  update tokens set last_used_at = now() where id = token_id and revoked_at is null;
  return found;
end
$$;
