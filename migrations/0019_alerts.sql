-- Alerts that no single receipt shows, whether or not a webhook wants them: what a stream of events sends, and goes on with after a
-- break. A violation is not here: its receipt says it all. Rows are inserted one transaction at a time, under an advisory lock, so that
-- whoever sees a number has seen every smaller one.
create table alerts (
  tenant_id  text not null,
  id         bigint generated always as identity,
  -- What makes it alert once, as in webhook_occurrences.
  key        text not null,
  event      text not null,
  -- JSON as a webhook has it.
  data       text not null,
  -- The person, or the key without one, that it is about; neither for what is about a team or the tenant.
  owner_user text,
  owner_key  text,
  created_at timestamptz not null default now(),
  -- Until then the same thing can happen again and must be known as told.
  keep_until timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, key)
);
