-- Usage by outcome and by tags too. '' stands for none, and '?' for an outcome that was not kept: of calls that were counted before
-- this. `tallystick rebuild usage` counts them again from their receipts.
alter table usage_hours add column outcome text not null default '?', add column tags jsonb not null default '{}',
  -- In the primary key instead of the tags, which can be larger than an index allows.
  add column tags_id text not null default '';
alter table usage_hours alter column outcome set default '';
alter table usage_hours drop constraint usage_hours_pkey,
  add primary key (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags_id);
create index usage_hours_without_outcome on usage_hours (tenant_id, hour) where outcome = '?';

create function tags_id(tags jsonb) returns text language sql immutable parallel safe
  return case when tags = '{}' then '' else encode(sha256(convert_to(tags::text, 'UTF8')), 'hex') end;

-- Adds two histograms. The shorter one is padded with zeros.
create function add_buckets(a integer[], b integer[]) returns integer[] language sql immutable parallel safe
  return array(select coalesce(x.a, 0) + coalesce(x.b, 0)
    from unnest(a, b) with ordinality as x (a, b, index) order by x.index);
create aggregate sum_buckets(integer[]) (sfunc = add_buckets, stype = integer[], initcond = '{}', parallel = safe);

-- A model has one spelling: without its provider, except for those of the mock provider.
with respelt as (
  delete from usage_hours where provider not in ('', 'mock') and starts_with(model, provider || '/') returning *)
insert into usage_hours as u (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, requests, input_tokens,
  output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
select tenant_id, hour, key_id, user_id, team_id, provider, substr(model, length(provider) + 2), outcome, sum(requests),
  sum(input_tokens), sum(output_tokens), sum(cost_nanos), sum(blocked), sum(rate_limited), sum(errors), sum(latency_ms),
  sum_buckets(latency_buckets)
from respelt group by 1, 2, 3, 4, 5, 6, 7, 8
on conflict (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags_id) do update set
  requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
  output_tokens = u.output_tokens + excluded.output_tokens, cost_nanos = u.cost_nanos + excluded.cost_nanos,
  blocked = u.blocked + excluded.blocked, rate_limited = u.rate_limited + excluded.rate_limited,
  errors = u.errors + excluded.errors, latency_ms = u.latency_ms + excluded.latency_ms,
  latency_buckets = add_buckets(u.latency_buckets, excluded.latency_buckets);

-- Days that are over, added up from their hours, so that a report over months reads few rows. They count only while they are in
-- `closed_usage_days`: whoever writes to an hour reopens its day in the same transaction.
create table usage_days (like usage_hours including defaults);
alter table usage_days rename column hour to day;
alter table usage_days add primary key (tenant_id, day, key_id, user_id, team_id, provider, model, outcome, tags_id);
create table closed_usage_days (
  tenant_id text not null,
  day       timestamptz not null,
  primary key (tenant_id, day)
);
