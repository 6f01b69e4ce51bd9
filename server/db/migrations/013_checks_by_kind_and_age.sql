-- serves programs from schema 3 on
-- outside a transaction

-- What retention deletes and empties, by kind and age: a pass reads what is due and nothing else. The checks that
-- deployments came to are kept for ever, so they are not in it.
create index concurrently if not exists checks_by_kind_and_age on checks (kind, started_at) where kind <> 'deployment' or state = 'given_back';
create index concurrently if not exists checks_with_answer_by_kind on checks (kind, started_at) where answer is not null;
drop index concurrently if exists checks_by_age_of_accounts;
drop index concurrently if exists checks_with_answer;
