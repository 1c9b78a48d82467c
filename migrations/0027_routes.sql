-- A name that callers put into `model`, and the models that it leads to.
create table routes (
  id         text primary key,
  tenant_id  text not null references tenants,
  name       text not null,
  strategy   text not null check (strategy in ('priority', 'weighted', 'fastest')),
  targets    jsonb not null,
  retry      jsonb not null,
  -- Null for no deadline of its own.
  timeout_ms integer,
  sticky_by  text not null check (sticky_by in ('none', 'session', 'user')),
  -- Null: answers are not kept.
  cache      jsonb,
  enabled    boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index routes_by_name on routes (tenant_id, name) where deleted_at is null;
create index routes_by_tenant on routes (tenant_id, id desc);
create trigger announce_routes after insert or update or delete on routes for each row execute function announce_change();
