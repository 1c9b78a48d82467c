-- What a call reserves counts for its scopes, which its draft names, not for the budgets that existed when it was admitted.
alter table open_calls drop column accounts;

-- A limit that is new or becomes stricter makes all admissions ask again that are not in open_calls yet: a replica that has
-- not heard of the change must not admit by the old limit.
-- `limits` counts the changes.
alter table admission_generations add column limits bigint not null default 0;
create function outdate_admissions() returns trigger language plpgsql as $$
begin
  update admission_generations set limits = limits + 1 where tenant_id = new.tenant_id;
  return null;
end $$;
create trigger outdate_admissions_on_new_budget after insert on budgets
  for each row when (new.action = 'block') execute function outdate_admissions();
create trigger outdate_admissions_on_stricter_budget after update on budgets
  for each row when (new.action = 'block' and new.deleted_at is null
    and (old.action <> new.action or old.period <> new.period or new.amount_nanos < old.amount_nanos))
  execute function outdate_admissions();
create trigger outdate_admissions_on_smaller_pool after update on teams
  for each row when (new.budget_pool_nanos < old.budget_pool_nanos) execute function outdate_admissions();
create trigger outdate_admissions_on_new_cap after insert on members
  for each row when (new.budget_cap_nanos is not null) execute function outdate_admissions();
create trigger outdate_admissions_on_smaller_cap after update on members
  for each row when (new.budget_cap_nanos < coalesce(old.budget_cap_nanos, new.budget_cap_nanos + 1)) execute function outdate_admissions();
