-- Providers that a tenant configures itself. Those of the operator's file are in no table.
create table providers (
  id             text primary key,
  tenant_id      text not null references tenants,
  -- The part of `provider/model` before the slash. It never changes.
  name           text not null,
  type           text not null,
  -- Null for the address of its type.
  base_url       text,
  -- Headers that go with every call, as JSON. They may be secrets.
  sealed_headers bytea,
  -- Null for those of its type.
  dialects       text[],
  timeouts       jsonb not null default '{}',
  options        jsonb not null default '{}',
  -- Null for what its type usually does.
  auth           text,
  -- Null for its own name.
  prices_of      text,
  enabled        boolean not null default true,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  deleted_at     timestamptz
);
create unique index providers_by_name on providers (tenant_id, name) where deleted_at is null;
create index providers_by_tenant on providers (tenant_id, id desc);

create table provider_credentials (
  id           text primary key,
  tenant_id    text not null references tenants,
  provider_id  text not null references providers,
  name         text not null,
  -- Null once it is removed.
  sealed_value bytea,
  -- The last four characters of the value.
  hint         text not null,
  weight       integer not null default 1 check (weight between 1 and 1000),
  created_at   timestamptz not null default now(),
  deleted_at   timestamptz
);
create unique index provider_credentials_by_name on provider_credentials (provider_id, name) where deleted_at is null;
create index provider_credentials_by_provider on provider_credentials (provider_id, id);

-- A tenant's own price of a model. The newest whose time has come is in force.
create table model_prices (
  tenant_id      text not null references tenants,
  provider       text not null,
  -- The provider's own name of the model.
  model          text not null,
  effective_from timestamptz not null,
  -- Price and limits as they were set, in USD.
  terms          jsonb not null,
  created_at     timestamptz not null default now(),
  primary key (tenant_id, provider, model, effective_from)
);

create trigger announce_providers after insert or update or delete on providers for each row execute function announce_change();
create trigger announce_provider_credentials after insert or update or delete on provider_credentials
  for each row execute function announce_change();
create trigger announce_model_prices after insert or update or delete on model_prices for each row execute function announce_change();
