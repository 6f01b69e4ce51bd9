-- serves programs from schema 3 on
-- outside a transaction

-- Without it every check that is deleted has all deployments read for one that refers to it.
create index concurrently if not exists deployments_by_check on deployments (check_id) where check_id is not null;

-- What retention deletes and empties, by age: a pass reads what is due and nothing else. The checks that deployments
-- came to, kept for ever, are not in it.
create index concurrently if not exists checks_by_age_of_accounts on checks (started_at) where account_id is not null or state = 'given_back';
create index concurrently if not exists checks_with_answer on checks (started_at) where answer is not null;
drop index concurrently if exists checks_by_age;

-- The order in which projects are listed, a page at a time.
create index concurrently if not exists projects_by_name on projects (name, id);
