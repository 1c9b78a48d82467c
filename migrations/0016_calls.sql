-- Calls: a row for each receipt of a call, written in the receipt's transaction and rebuilt from the record when needed.
-- Partitioned by the week of admission, so that old parts are dropped at once.
create table calls (
  tenant_id     text not null,
  -- Of milliseconds, as in the record: a cursor holds no more.
  ts            timestamptz(3) not null,
  seq           bigint not null,
  request_id    text not null,
  kind          text not null,
  key_id        text,
  user_id       text,
  team_id       text,
  provider      text,
  -- One spelling for a model, however the caller spelt it.
  model         text,
  asked_model   text,
  upstream      text,
  stream        boolean not null,
  status        integer,
  outcome       text,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  cached_tokens bigint not null,
  -- Corrections included.
  cost_nanos    bigint not null,
  usage_source  text,
  latency_ms    integer,
  first_token_ms integer,
  session       text,
  tags          jsonb,
  -- Policies that failed or acted.
  policy_ids    text[],
  primary key (tenant_id, ts, seq)
) partition by range (ts);

-- Takes what has no partition, so that no receipt is refused for want of one: a clock that is far off, or an old span that nobody
-- prepared. It stays small. `make_calls_partitions` moves rows out of it.
create table calls_default partition of calls default;

-- What a search may rely on: a partition gets the indexes that searches use when its week is over, so that they cost no call anything.
create table calls_partitions (
  name    text primary key,
  since   timestamptz not null unique,
  until   timestamptz not null,
  indexed boolean not null default false
);

-- The default partition has them from the start: it is written to so rarely.
create index calls_default_by_key on calls_default (tenant_id, key_id, ts, seq);
create index calls_default_by_user on calls_default (tenant_id, user_id, ts, seq);
create index calls_default_by_team on calls_default (tenant_id, team_id, ts, seq);
create index calls_default_by_model on calls_default (tenant_id, model, ts, seq);
create index calls_default_by_provider on calls_default (tenant_id, provider, ts, seq);
create index calls_default_by_outcome on calls_default (tenant_id, outcome, ts, seq);
create index calls_default_by_session on calls_default (tenant_id, session, ts, seq);
create index calls_default_by_request on calls_default (request_id);
create index calls_default_by_cost on calls_default (tenant_id, cost_nanos);
create index calls_default_by_policy on calls_default using gin (policy_ids);
create index calls_default_by_tag on calls_default using gin (tags jsonb_path_ops);

-- Makes the partitions for the weeks from `since` to `until` that are missing. A partition is made empty, gets the rows of its week
-- that are in the default one, and is then attached. Writers are kept out from before the move until after the attachment: a row on its
-- way to the default partition would be refused otherwise. This takes milliseconds; set `lock_timeout` to bound the wait for it.
create function make_calls_partitions(since timestamptz, until timestamptz) returns integer language plpgsql as $$
declare
  week timestamp := date_trunc('week', since at time zone 'UTC');
  first_moment timestamptz;
  next_moment timestamptz;
  part text;
  made integer := 0;
begin
  while week <= until at time zone 'UTC' loop
    part := 'calls_' || to_char(week, 'YYYYMMDD');
    if to_regclass(part) is null then
      lock table calls in share row exclusive mode;
      -- Another process may have made it while this one waited.
      if to_regclass(part) is null then
        first_moment := week at time zone 'UTC';
        next_moment := (week + interval '7 days') at time zone 'UTC';
        execute format('create table %I (like calls including defaults)', part);
        execute format('with moved as (delete from calls_default where ts >= %L and ts < %L returning *) insert into %I select * from moved',
          first_moment, next_moment, part);
        execute format('alter table calls attach partition %I for values from (%L) to (%L)', part, first_moment, next_moment);
        insert into calls_partitions (name, since, until) values (part, first_moment, next_moment);
        made := made + 1;
      end if;
    end if;
    week := week + interval '7 days';
  end loop;
  return made;
end $$;

select make_calls_partitions(now(), now() + interval '28 days');

-- How far each record is known to have its calls here. An upgrade finds a record without any; the service builds them from there.
create table calls_built (
  tenant_id text primary key,
  upto      bigint not null
);
