-- Files that callers upload for batches, and what came of these. Sealed: they hold what calls say.
create table batch_files (
  id         text primary key,
  tenant_id  text not null references tenants,
  -- The virtual key that they belong to: no other sees them.
  key_id     text not null,
  -- Whose they are: an erasure finds them by this.
  user_id    text,
  purpose    text not null check (purpose in ('batch', 'batch_output')),
  -- Of the content, before it was sealed.
  bytes      int not null,
  name       bytea not null,
  content    bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index batch_files_by_key on batch_files (tenant_id, key_id, created_at);
create index batch_files_by_expiry on batch_files (expires_at);
create index batch_files_by_user on batch_files (tenant_id, user_id) where user_id is not null;
alter table batch_files alter column content set storage external;

-- Calls that were handed to a provider together, to be answered within a day. Each line of the file is a call of its own, open until
-- its receipt is written.
create table batches (
  id                 text primary key,
  tenant_id          text not null references tenants,
  key_id             text not null,
  user_id            text,
  endpoint           text not null,
  model              text not null,
  -- The one that has it, and the credential that it was sent with: only that account knows it.
  provider_id        text not null,
  credential_id      text,
  -- What its calls cost, whatever becomes of the catalogue meanwhile.
  price              text not null,
  -- What the caller noted on it, and the headers that its calls are filed under.
  sealed             bytea not null,
  input_file_id      text not null,
  output_file_id     text,
  error_file_id      text,
  status             text not null default 'validating' check (status in
    ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled')),
  -- Why it failed, in words of our own.
  error              text,
  -- The calls that its lines are, in the order of the lines.
  call_ids           text[] not null,
  -- Lines that policies refused, and why; null where none was.
  refused            bytea,
  completed          int not null default 0,
  failed             int not null default 0,
  -- The provider may have it, from this moment on.
  sent_at            timestamptz,
  upstream_file_id   text,
  upstream_id        text,
  created_at         timestamptz not null default now(),
  in_progress_at     timestamptz,
  finalizing_at      timestamptz,
  cancelling_at      timestamptz,
  ended_at           timestamptz,
  expires_at         timestamptz not null,
  -- When somebody should look at it again, and who does at this moment.
  next_at            timestamptz not null default now(),
  leased_by          text
);
create index batches_by_key on batches (tenant_id, key_id, created_at);
create index batches_by_age on batches (created_at);
create index batches_by_user on batches (tenant_id, user_id) where user_id is not null;
create index batches_to_look_at on batches (next_at) where ended_at is null;

-- A line of a batch belongs to no process once its batch is there: it ends when that does.
alter table open_calls alter column process_id drop not null;
alter table open_calls add column batch_id text;
create index open_calls_by_batch on open_calls (batch_id) where batch_id is not null;
