-- The last two times that a check of the account ended the thread that it ran in.
alter table accounts
  add column thread_ended_at timestamptz,
  add column thread_ended_before_at timestamptz;
