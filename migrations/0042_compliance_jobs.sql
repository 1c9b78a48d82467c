-- expand: two new tables; older programs do not know them.
-- Attestations and exports of spans that are too large for a request: made in the background, and kept for some days.
create table compliance_jobs (
  id text primary key,
  tenant_id text not null references tenants (id) on delete cascade,
  kind text not null check (kind in ('attestation', 'export')),
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- What is to be made, fixed when it was requested, as JSON: the header of an export; the period of an attestation and the
  -- size that the record had. Text, because the header's members keep their order.
  task text not null,
  -- In entries, for whoever waits.
  done bigint not null default 0,
  total bigint,
  -- How far the parts of an export go that are stored: from there another process continues.
  stored_to bigint not null default 0,
  entries bigint not null default 0,
  seals bigint not null default 0,
  parts integer not null default 0,
  bytes bigint not null default 0,
  -- How often it was begun since it last got on.
  attempts integer not null default 0,
  -- Whoever works on it writes only while this is its lease.
  lease_id text,
  lease_until timestamptz,
  started_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  expires_at timestamptz
);

create index compliance_jobs_tenant on compliance_jobs (tenant_id, id);
create index compliance_jobs_open on compliance_jobs (id) where status in ('queued', 'running');
create index compliance_jobs_ended on compliance_jobs (expires_at) where expires_at is not null;

-- The result, each part compressed by itself: every replica can serve it, and none holds more than a part in memory.
create table compliance_job_parts (
  job_id text not null references compliance_jobs (id) on delete cascade,
  number integer not null,
  content bytea not null,
  primary key (job_id, number)
);
-- It is compressed already.
alter table compliance_job_parts alter column content set storage external;
