-- Money is kept in nano-dollars (1e-9 USD). Amounts that people set are no finer than a micro-dollar and at most nine
-- million dollars, so that every one of them is exact as a number of 53 bits. An older amount above that becomes the most.
drop view spend_limits;

alter table teams rename column budget_pool_micros to budget_pool_nanos;
update teams set budget_pool_nanos = least(budget_pool_nanos, 9000000000000) * 1000;

alter table members rename column budget_cap_micros to budget_cap_nanos;
update members set budget_cap_nanos = least(budget_cap_nanos, 9000000000000) * 1000 where budget_cap_nanos is not null;

alter table budgets rename column amount_micros to amount_nanos;
update budgets set amount_nanos = least(amount_nanos, 9000000000000) * 1000;

alter table budget_requests rename column amount_micros to amount_nanos;
alter table budget_requests rename column granted_micros to granted_nanos;
update budget_requests set amount_nanos = least(amount_nanos, 9000000000000) * 1000,
  granted_nanos = least(granted_nanos, 9000000000000) * 1000;
-- What was granted beyond the most that a budget can be: the grants that were decided last become smaller.
with running as (
  select r.id, r.granted_nanos, greatest(0, least(r.granted_nanos, 9000000000000000 - b.amount_nanos
    - (sum(r.granted_nanos) over (partition by r.budget_id, r.granted_period order by r.decided_at, r.id) - r.granted_nanos))) as kept
  from budget_requests r join budgets b on b.id = r.budget_id where r.status = 'approved')
update budget_requests r set granted_nanos = greatest(1, running.kept)
from running where running.id = r.id and running.kept < running.granted_nanos;

alter table spend_days rename column cost_micros to cost_nanos;
update spend_days set cost_nanos = cost_nanos * 1000;
alter table usage_hours rename column cost_micros to cost_nanos;
update usage_hours set cost_nanos = cost_nanos * 1000;
alter table usage_minutes rename column cost_micros to cost_nanos;
update usage_minutes set cost_nanos = cost_nanos * 1000;

create view spend_limits as
  select tenant_id, scope_type, scope_id, 'budget:' || id as subject, 'Budget "' || name || '"' as title,
    id as budget_id, period, amount_nanos, threshold_pct
  from budgets where deleted_at is null
  union all
  select tenant_id, 'team', id, 'pool:' || id, 'The pool of team "' || name || '"', null, 'monthly', budget_pool_nanos, 80
  from teams where deleted_at is null
  union all
  select tenant_id, 'user', user_id, 'cap:' || user_id, 'The cap of user "' || user_id || '"', null, 'monthly', budget_cap_nanos, 80
  from members where removed_at is null and budget_cap_nanos is not null;
-- An alert at a raised limit is known by its threshold.
update webhook_occurrences set key = key || '000' where key ~ ':\d{4}-\d\d-\d\d:\d+$';
