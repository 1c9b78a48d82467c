-- The management interface: prompts, teams, user limits, budgets, policies, usage and the audit trail.
-- Rows that are deleted stay as tombstones (deleted_at): deleting twice is then known as such, and receipts that
-- name them can still be explained. A name is free again once its row is deleted.

alter table teams add column deleted_at timestamptz;
alter table teams drop constraint teams_tenant_id_name_key;
create unique index teams_by_name on teams (tenant_id, name) where deleted_at is null;

alter table members
  add column allowed_models text[],
  add column budget_cap_micros bigint check (budget_cap_micros >= 0),
  add column updated_at timestamptz not null default now(),
  add column removed_at timestamptz;
create index members_by_team on members (tenant_id, team_id);
create index keys_by_team on keys (tenant_id, team_id);

create table prompts (
  id          text primary key,
  tenant_id   text not null references tenants,
  name        text not null,
  description text not null default '',
  -- The newest version's number; 0 before the first. Locked while one is appended: no gaps, no repeats.
  versions    integer not null default 0,
  created_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  unique (tenant_id, id)
);
create unique index prompts_by_name on prompts (tenant_id, name) where deleted_at is null;

create table prompt_versions (
  id         text primary key,
  tenant_id  text not null,
  prompt_id  text not null,
  version    integer not null check (version > 0),
  content    text not null,
  created_at timestamptz not null default now(),
  unique (prompt_id, version),
  unique (prompt_id, id),
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id)
);

create table prompt_labels (
  tenant_id  text not null,
  prompt_id  text not null,
  label      text not null,
  -- Null once the label was deleted.
  version_id text,
  updated_at timestamptz not null default now(),
  primary key (prompt_id, label),
  foreign key (tenant_id, prompt_id) references prompts (tenant_id, id),
  foreign key (prompt_id, version_id) references prompt_versions (prompt_id, id)
);

create table policies (
  id          text primary key,
  tenant_id   text not null references tenants,
  name        text not null,
  description text not null default '',
  kind        text not null,
  config      jsonb not null,
  scope_type  text not null check (scope_type in ('tenant', 'team', 'user', 'key')),
  scope_id    text not null,
  phase       text not null check (phase in ('input', 'output', 'both')),
  action      text not null check (action in ('block', 'redact', 'flag')),
  enabled     boolean not null default true,
  version     integer not null default 1,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz
);
create unique index policies_by_name on policies (tenant_id, name) where deleted_at is null;
create index policies_by_tenant on policies (tenant_id, id desc);

create table budgets (
  id            text primary key,
  tenant_id     text not null references tenants,
  name          text not null,
  scope_type    text not null check (scope_type in ('tenant', 'team', 'user', 'key')),
  scope_id      text not null,
  amount_micros bigint not null check (amount_micros >= 0),
  period        text not null check (period in ('daily', 'weekly', 'monthly', 'total')),
  threshold_pct integer not null default 80 check (threshold_pct between 1 and 100),
  action        text not null default 'block' check (action in ('block', 'alert')),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  unique (tenant_id, id)
);
create unique index budgets_by_name on budgets (tenant_id, name) where deleted_at is null;
create index budgets_by_tenant on budgets (tenant_id, id desc);

create table budget_requests (
  id               text primary key,
  tenant_id        text not null,
  budget_id        text not null,
  amount_micros    bigint not null check (amount_micros > 0),
  reason           text not null,
  status           text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  requested_key    text not null,
  requested_user   text,
  decided_key      text,
  decided_user     text,
  decided_at       timestamptz,
  note             text,
  granted_micros   bigint check (granted_micros > 0),
  -- The period in which it was approved: the only one in which the grant counts.
  granted_period   timestamptz,
  created_at       timestamptz not null default now(),
  foreign key (tenant_id, budget_id) references budgets (tenant_id, id)
);
create index budget_requests_by_tenant on budget_requests (tenant_id, id desc);
create index budget_requests_by_requester on budget_requests (tenant_id, requested_user, id desc);
create index budget_grants on budget_requests (budget_id, granted_period) where status = 'approved';

-- Spend by the day of admission, for each of the four scopes; a projection of the ledger, in its transaction.
-- Any period is a sum of days, so a budget made in the middle of one knows what was spent before.
create table spend_days (
  tenant_id   text not null,
  scope_type  text not null,
  scope_id    text not null,
  day         date not null,
  cost_micros bigint not null,
  primary key (tenant_id, scope_type, scope_id, day)
);
-- What was spent before this table was there.
insert into spend_days (tenant_id, scope_type, scope_id, day, cost_micros)
select tenant_id, scope_type, scope_id, (hour at time zone 'UTC')::date, sum(cost_micros)
from usage_hours
cross join lateral (values ('tenant', tenant_id), ('team', team_id), ('user', user_id), ('key', key_id)) as s (scope_type, scope_id)
where scope_id <> '' and cost_micros > 0
group by 1, 2, 3, 4;

-- The last hours by the minute, for the shortest range; pruned, since the hours have it all for good.
create table usage_minutes (like usage_hours including defaults including constraints);
alter table usage_minutes rename column hour to minute;
alter table usage_minutes add primary key (tenant_id, minute, key_id, user_id, team_id, provider, model);

-- Every management write: who, when, what it was before and after. Never a secret.
create table audit_log (
  id           text primary key,
  tenant_id    text not null references tenants,
  at           timestamptz not null default now(),
  -- The key that acted, or 'operator' for a command on the machine itself.
  key_id       text not null,
  user_id      text,
  action       text not null,
  subject_type text not null,
  subject_id   text not null,
  before       jsonb,
  after        jsonb
);
create index audit_log_by_tenant on audit_log (tenant_id, id desc);

create trigger announce_prompts after insert or update or delete on prompts for each row execute function announce_change();
create trigger announce_prompt_labels after insert or update or delete on prompt_labels for each row execute function announce_change();
create trigger announce_policies after insert or update or delete on policies for each row execute function announce_change();
create trigger announce_budgets after insert or update or delete on budgets for each row execute function announce_change();
create trigger announce_budget_requests after update on budget_requests for each row execute function announce_change();
