-- MCP servers that a tenant configures itself. Those of the operator's file are in no table; what hangs on a server goes by its id, which
-- for those is `file:` and the name.
create table mcp_servers (
  id                   text primary key,
  tenant_id            text not null references tenants,
  -- The part of `server__tool` before the first `__`. It never changes.
  name                 text not null,
  url                  text not null,
  -- Headers that go with every request, as JSON. They may be secrets.
  sealed_headers       bytea,
  auth                 jsonb not null default '{"type":"none"}',
  sealed_client_secret bytea,
  enabled              boolean not null default true,
  open                 boolean not null default false,
  pinning              text not null default 'block' check (pinning in ('off', 'warn', 'block')),
  price_nanos          bigint not null default 0 check (price_nanos >= 0),
  rpm_limit            integer,
  timeout_ms           integer not null,
  max_result_bytes     integer not null,
  resources            text[] not null default '{}',
  prompts              text[] not null default '{}',
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  deleted_at           timestamptz
);
create unique index mcp_servers_by_name on mcp_servers (tenant_id, name) where deleted_at is null;
create index mcp_servers_by_tenant on mcp_servers (tenant_id, id desc);

-- What a server said when it was asked last, and how that went. JSON as text: jsonb refuses texts that JSON allows.
create table mcp_listings (
  tenant_id        text not null references tenants,
  server_id        text not null,
  protocol_version text,
  server_info      text,
  capabilities     text,
  instructions     text,
  status           text not null check (status in ('ok', 'failing')),
  -- In words of our own.
  status_message   text,
  -- When it last answered; null for never.
  refreshed_at     timestamptz,
  -- When it was last asked.
  checked_at       timestamptz not null default now(),
  primary key (tenant_id, server_id)
);

-- The newest definition of each tool that a server ever listed, beside the one that was approved.
create table mcp_tools (
  tenant_id           text not null references tenants,
  server_id           text not null,
  name                text not null,
  -- SHA-256 of the definition in hex; the definition is canonical JSON.
  seen_hash           text not null,
  seen_definition     text not null,
  -- When this definition was first seen.
  seen_at             timestamptz not null default now(),
  -- Since when the server lists it no more.
  gone_at             timestamptz,
  -- Why nobody may call it whatever was approved, such as a name that is listed twice. Null for nothing.
  fault               text,
  approved_hash       text,
  approved_definition text,
  approved_at         timestamptz,
  approved_by         text,
  blocked             boolean not null default false,
  primary key (tenant_id, server_id, name)
);

-- What a user, or a key without one, calls a server with. `subject`: `user:<id>` or `key:<id>`.
create table mcp_credentials (
  tenant_id  text not null references tenants,
  server_id  text not null,
  subject    text not null,
  sealed     bytea not null,
  expires_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, server_id, subject)
);
create index mcp_credentials_by_subject on mcp_credentials (tenant_id, subject);

-- A consent that somebody was sent to give. The id is a hash of the `state`; the row goes when it is used.
create table mcp_consents (
  id         text primary key,
  tenant_id  text not null references tenants,
  server_id  text not null,
  subject    text not null,
  sealed     bytea not null,
  expires_at timestamptz not null
);
create index mcp_consents_by_expiry on mcp_consents (expires_at);
create index mcp_consents_by_subject on mcp_consents (tenant_id, subject);

-- The client that the gateway registered itself as.
create table mcp_oauth_clients (
  tenant_id  text not null references tenants,
  server_id  text not null,
  issuer     text not null,
  sealed     bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, server_id, issuer)
);

-- Sessions of servers that have them, shared by all replicas.
create table mcp_sessions (
  tenant_id        text not null references tenants,
  server_id        text not null,
  -- Whose credential and whose session it belongs to.
  owner            text not null,
  sealed           bytea not null,
  protocol_version text not null,
  used_at          timestamptz not null default now(),
  expires_at       timestamptz not null,
  primary key (tenant_id, server_id, owner)
);
create index mcp_sessions_by_expiry on mcp_sessions (expires_at);

-- Replies and cancellations that came to another replica than the one that waits for them.
create table mcp_messages (
  id         bigint generated always as identity primary key,
  tenant_id  text not null references tenants,
  call       text not null,
  payload    bytea not null,
  created_at timestamptz not null default now()
);
create index mcp_messages_by_call on mcp_messages (tenant_id, call, id);
create index mcp_messages_by_age on mcp_messages (created_at);

-- Patterns of `server__tool`; null for all.
alter table keys add column allowed_tools text[];
alter table members add column allowed_tools text[];
alter table teams add column allowed_tools text[];

drop trigger announce_keys_changed on keys;
create trigger announce_keys_changed
  after update of name, role, user_id, team_id, rpm_limit, tpm_limit, allowed_models, allowed_tools, metadata, expires_at, revoked_at
  on keys for each row execute function announce_change();

create trigger announce_mcp_servers after insert or update or delete on mcp_servers for each row execute function announce_change();
create trigger announce_mcp_tools after insert or update or delete on mcp_tools for each row execute function announce_change();
create trigger announce_mcp_messages after insert on mcp_messages for each row execute function announce_change();
-- A server that answers as it did before is no news.
create trigger announce_mcp_listings_written after insert or delete on mcp_listings for each row execute function announce_change();
create trigger announce_mcp_listings_changed after update on mcp_listings for each row
  when ((old.protocol_version, old.server_info, old.capabilities, old.instructions, old.status, old.status_message)
    is distinct from (new.protocol_version, new.server_info, new.capabilities, new.instructions, new.status, new.status_message))
  execute function announce_change();

-- Whoever loses a key or leaves also loses what was kept to call servers in that name. A user who is added again may be somebody else.
create function forget_mcp_subject() returns trigger language plpgsql as $$
declare
  gone text;
begin
  if tg_argv[0] = 'user' then gone := 'user:' || new.user_id; else gone := 'key:' || new.id; end if;
  delete from mcp_credentials where tenant_id = new.tenant_id and subject = gone;
  delete from mcp_consents where tenant_id = new.tenant_id and subject = gone;
  return null;
end $$;
create trigger forget_mcp_subject_of_key after update of revoked_at on keys for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function forget_mcp_subject('key');
create trigger forget_mcp_subject_of_user after update of removed_at on members for each row
  when (old.removed_at is distinct from new.removed_at) execute function forget_mcp_subject('user');

-- With a server goes all that was kept of it.
create function forget_mcp_server() returns trigger language plpgsql as $$
begin
  delete from mcp_listings where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_tools where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_credentials where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_consents where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_oauth_clients where tenant_id = new.tenant_id and server_id = new.id;
  delete from mcp_sessions where tenant_id = new.tenant_id and server_id = new.id;
  return null;
end $$;
create trigger forget_mcp_server after update of deleted_at on mcp_servers for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function forget_mcp_server();
