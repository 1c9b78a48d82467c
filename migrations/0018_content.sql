-- What a tenant keeps of what its calls say. No row: nothing.
create table content_capture (
  tenant_id      text primary key references tenants,
  mode           text not null check (mode in ('off', 'redacted', 'full')),
  -- The entry of the record that announced the mode: a call that began before it leaves nothing.
  mode_seq       bigint not null,
  retention_days integer not null check (retention_days between 1 and 365),
  updated_at     timestamptz not null default now()
);
create trigger announce_content_capture after insert or update or delete on content_capture
  for each row execute function announce_change();
-- A call that began before a person's erasure leaves no content after it.
create trigger announce_erasures after insert on erasures for each row execute function announce_change();
create index erasures_by_user on erasures (tenant_id, user_id, control_seq);

-- What calls said, sealed. One partition for each day (UTC), so that old content goes with its partition and no dead rows stay
-- behind. The program makes the partitions.
create table call_content (
  tenant_id   text not null,
  -- When the call came in.
  captured_at timestamptz not null,
  request_id  text not null,
  attempt     smallint not null,
  -- Whose call it is, as in its receipt: an erasure finds it by this.
  user_id     text,
  -- Request and answer, compressed, then sealed.
  sealed      bytea not null,
  primary key (tenant_id, request_id, attempt, captured_at)
) partition by range (captured_at);
create index call_content_by_age on call_content (tenant_id, captured_at);
create index call_content_by_user on call_content (tenant_id, user_id) where user_id is not null;
-- It is compressed already.
alter table call_content alter column sealed set storage external;
