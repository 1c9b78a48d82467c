-- Webhooks: who wants to be told, what happened (each thing once), and what is on its way to whom.

create table webhook_endpoints (
  id                    text primary key,
  tenant_id             text not null references tenants,
  name                  text not null,
  url                   text not null,
  type                  text not null check (type in ('generic', 'chat')),
  events                text[] not null,
  enabled               boolean not null default true,
  max_attempts          integer not null default 30 check (max_attempts between 1 and 100),
  secret                text not null,
  -- The secret before the last rotation; it signs along until then.
  previous_secret       text,
  previous_secret_until timestamptz,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  deleted_at            timestamptz
);
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id, id desc) where deleted_at is null;
create trigger announce_webhook_endpoints
  after insert or update or delete on webhook_endpoints for each row execute function announce_change();

-- What a tenant was told of. The key is what makes it alert once: `budget:<id>:…`, `violation:<request>`, `spike:<hour>`.
create table webhook_occurrences (
  tenant_id  text not null,
  key        text not null,
  event      text not null,
  created_at timestamptz not null default now(),
  -- Until then the same thing can happen again and must be known as told.
  keep_until timestamptz not null,
  primary key (tenant_id, key)
);
create index webhook_occurrences_by_age on webhook_occurrences using brin (keep_until);

-- How many deliveries an occurrence makes is known in the database only, so their ids are made here: 12 digits of time,
-- 14 of randomness.
create function new_delivery_id() returns text language sql volatile as $$
  select 'dlv_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 14)
$$;

-- The row is the job. No foreign keys: it is written within the ledger's transaction, which must wait for nobody.
-- A claim changes `lease_until` alone, which is in no index, so that it stays within its page (hence the room left).
create table webhook_deliveries (
  endpoint_id  text not null,
  id           text not null default new_delivery_id(),
  tenant_id    text not null,
  event        text not null,
  -- JSON as it is sent, to the byte: every attempt carries the same.
  data         text not null,
  created_at   timestamptz not null default date_trunc('milliseconds', now()),
  status       text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'dead')),
  -- Those whose outcome is known.
  attempts     integer not null default 0,
  due_at       timestamptz not null default now(),
  lease_until  timestamptz,
  attempted_at timestamptz,
  status_code  integer,
  error        text,
  primary key (endpoint_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where status in ('pending', 'retrying');
create index webhook_deliveries_last on webhook_deliveries (endpoint_id, attempted_at desc) where attempted_at is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- One replica at a time looks for what no single receipt shows.
create table webhook_watch (
  only_row   boolean primary key default true check (only_row),
  watched_at timestamptz not null default '-infinity'
);
insert into webhook_watch default values;

-- Everything that limits spend and has a threshold: budgets, and by the month the pools of teams and the caps of users.
create view spend_limits as
  select tenant_id, scope_type, scope_id, 'budget:' || id as subject, 'Budget "' || name || '"' as title,
    id as budget_id, period, amount_micros, threshold_pct
  from budgets where deleted_at is null
  union all
  select tenant_id, 'team', id, 'pool:' || id, 'The pool of team "' || name || '"', null, 'monthly', budget_pool_micros, 80
  from teams where deleted_at is null
  union all
  select tenant_id, 'user', user_id, 'cap:' || user_id, 'The cap of user "' || user_id || '"', null, 'monthly', budget_cap_micros, 80
  from members where removed_at is null and budget_cap_micros is not null;
create index budgets_by_scope on budgets (tenant_id, scope_type, scope_id) where deleted_at is null;

-- The first day of the period that a day falls into, by the calendar in UTC; weeks begin on Monday.
create function period_start(period text, day date) returns date language sql immutable as $$
  select case period
    when 'daily' then day
    when 'weekly' then date_trunc('week', day::timestamp)::date
    when 'monthly' then date_trunc('month', day::timestamp)::date
    else date '1970-01-01' end
$$;
-- The day after its last; never comes for a total.
create function period_end(period text, day date) returns date language sql immutable as $$
  select case period
    when 'daily' then day + 1
    when 'weekly' then (date_trunc('week', day::timestamp) + interval '7 days')::date
    when 'monthly' then (date_trunc('month', day::timestamp) + interval '1 month')::date
    else date 'infinity' end
$$;
