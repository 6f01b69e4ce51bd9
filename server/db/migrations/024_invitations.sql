-- serves programs from schema 3 on

-- An invitation that was not answered is a row of `invitations`. Programs of schema 20 and earlier keep it in `memberships`,
-- without `accepted_at`: such a row and the invitation come and go together, and no newer program reads it.
create function follow_pending_membership() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invitations (project_id, email)
    select new.project_id, email from accounts where id = new.account_id and email is not null
    on conflict do nothing;
  else
    delete from invitations
    where project_id = old.project_id and email = (select email from accounts where id = old.account_id);
  end if;
  return null;
end
$$;
create trigger memberships_invited after insert on memberships
  for each row when (new.accepted_at is null) execute function follow_pending_membership();
create trigger memberships_accepted after update of accepted_at on memberships
  for each row when (old.accepted_at is null and new.accepted_at is not null) execute function follow_pending_membership();
create trigger memberships_withdrawn after delete on memberships
  for each row when (old.accepted_at is null) execute function follow_pending_membership();

create function follow_invitation() returns trigger language plpgsql as $$
begin
  delete from memberships
  where project_id = old.project_id and account_id = (select id from accounts where email = old.email)
    and accepted_at is null;
  return null;
end
$$;
create trigger invitations_ended after delete on invitations
  for each row execute function follow_invitation();

-- After the triggers, whose lock waits for whoever is writing: from here on no membership escapes.
insert into invitations (project_id, email, invited_at)
select project_id, email, invited_at from memberships join accounts on accounts.id = account_id
where accepted_at is null and email is not null
on conflict do nothing;
