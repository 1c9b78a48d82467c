-- Who signed in with a browser. Of the cookie's value only a hash is stored; `id` names the session and proves nothing. A session without
-- a key was opened by OpenID Connect, and stands for its user alone.
create table sessions (
  id           text primary key,
  tenant_id    text not null references tenants,
  hash         bytea not null unique,
  key_id       text references keys on delete cascade,
  -- The owner of the key at that time, or the user who signed in.
  user_id      text,
  ip           text not null,
  user_agent   text not null,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- Before its time. The row stays for as long as it could have lived.
  ended_at     timestamptz,
  foreign key (tenant_id, user_id) references members (tenant_id, user_id) on delete cascade,
  check (key_id is not null or user_id is not null)
);
create index sessions_by_user on sessions (tenant_id, user_id, id desc);
create index sessions_by_key on sessions (key_id, id desc);
create index sessions_by_age on sessions (created_at);

-- Replicas keep sessions in memory. When one was last seen decides nothing that another replica could not read again.
create trigger announce_sessions_ended after update of ended_at on sessions for each row execute function announce_change();

-- A session ends in the transaction that takes from its key or its user what it was opened with, whoever makes that change: what was
-- given back later does not bring it back. Rows are locked in the order of their ids, as noting their last use does.
create function role_rank(role text) returns int language sql immutable strict parallel safe as $$
  select array_position(array['member', 'auditor', 'manager'], role)
$$;

create function end_sessions_of_key() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now()
    where id in (select id from sessions where key_id = new.id and ended_at is null order by id for update);
  return null;
end $$;
create trigger end_sessions_of_key after update of role, user_id, revoked_at on keys for each row
  when ((old.revoked_at is null and new.revoked_at is not null) or old.user_id is distinct from new.user_id
    or role_rank(new.role) < role_rank(old.role))
  execute function end_sessions_of_key();

create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = now()
    where id in (select id from sessions
      where tenant_id = new.tenant_id and user_id = new.user_id and ended_at is null order by id for update);
  return null;
end $$;
create trigger end_sessions_of_user after update of role, status, removed_at on members for each row
  when ((old.status <> 'suspended' and new.status = 'suspended') or (old.removed_at is null and new.removed_at is not null)
    or role_rank(new.role) < role_rank(old.role))
  execute function end_sessions_of_user();

-- Which account of an issuer a member is. An email may change hands; what the issuer calls the subject does not.
create table oidc_identities (
  tenant_id  text not null references tenants,
  issuer     text not null,
  subject    text not null,
  user_id    text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, issuer, subject),
  unique (tenant_id, issuer, user_id),
  foreign key (tenant_id, user_id) references members (tenant_id, user_id) on delete cascade
);

-- A user who was removed and is added again is a new member, who may be somebody else.
create function forget_oidc_identity() returns trigger language plpgsql as $$
begin
  delete from oidc_identities where tenant_id = new.tenant_id and user_id = new.user_id;
  return null;
end $$;
create trigger forget_oidc_identity after update of removed_at on members for each row
  when (old.removed_at is not null and new.removed_at is null) execute function forget_oidc_identity();
