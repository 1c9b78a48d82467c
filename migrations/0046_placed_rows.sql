-- expand: functions that add to the sums of spend and usage; programs of before go on without them.
-- A writer knows where its last update has put a row, and says so. Under an open snapshot, the primary key leads through every version
-- that the row ever had. The place is a hint: a row that is not there, or has another key, is found by its key, or made.
-- Each function answers with the place of the row after it, or with null where the row was not at its place.

create function add_to_spend_day(
  place tid, of_tenant text, of_scope_type text, of_scope text, of_day date, more_nanos bigint
) returns tid language plpgsql as $$
declare
  moved tid;
begin
  update spend_days s set cost_nanos = s.cost_nanos + more_nanos
    where s.ctid = place and s.tenant_id = of_tenant and s.scope_type = of_scope_type and s.scope_id = of_scope and s.day = of_day
    returning s.ctid into moved;
  if found then
    return moved;
  end if;
  insert into spend_days as s (tenant_id, scope_type, scope_id, day, cost_nanos)
    values (of_tenant, of_scope_type, of_scope, of_day, more_nanos)
    on conflict (tenant_id, scope_type, scope_id, day) do update set cost_nanos = s.cost_nanos + excluded.cost_nanos;
  return null;
end $$;

create function add_to_usage_hour(
  place tid, of_tenant text, of_hour timestamptz, of_key text, of_user text, of_team text, of_provider text, of_model text,
  of_outcome text, with_tags jsonb, more_requests bigint, more_input_tokens bigint, more_output_tokens bigint, more_nanos bigint,
  more_blocked bigint, more_rate_limited bigint, more_errors bigint, more_latency_ms bigint, more_buckets integer[]
) returns tid language plpgsql as $$
declare
  moved tid;
  of_tags text := '';
begin
  -- Calling it costs a tenth of the whole, and most calls have no tags.
  if with_tags <> '{}' then
    of_tags := tags_id(with_tags);
  end if;
  update usage_hours u set requests = u.requests + more_requests, input_tokens = u.input_tokens + more_input_tokens,
      output_tokens = u.output_tokens + more_output_tokens, cost_nanos = u.cost_nanos + more_nanos,
      blocked = u.blocked + more_blocked, rate_limited = u.rate_limited + more_rate_limited, errors = u.errors + more_errors,
      latency_ms = u.latency_ms + more_latency_ms, latency_buckets = add_buckets(u.latency_buckets, more_buckets)
    where u.ctid = place and u.tenant_id = of_tenant and u.hour = of_hour and u.key_id = of_key and u.user_id = of_user
      and u.team_id = of_team and u.provider = of_provider and u.model = of_model and u.outcome = of_outcome and u.tags_id = of_tags
    returning u.ctid into moved;
  if found then
    return moved;
  end if;
  insert into usage_hours as u (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags, tags_id, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values (of_tenant, of_hour, of_key, of_user, of_team, of_provider, of_model, of_outcome, with_tags, of_tags, more_requests,
      more_input_tokens, more_output_tokens, more_nanos, more_blocked, more_rate_limited, more_errors, more_latency_ms, more_buckets)
    on conflict (tenant_id, hour, key_id, user_id, team_id, provider, model, outcome, tags_id) do update set
      requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, cost_nanos = u.cost_nanos + excluded.cost_nanos,
      blocked = u.blocked + excluded.blocked, rate_limited = u.rate_limited + excluded.rate_limited,
      errors = u.errors + excluded.errors, latency_ms = u.latency_ms + excluded.latency_ms,
      latency_buckets = add_buckets(u.latency_buckets, excluded.latency_buckets);
  return null;
end $$;

create function add_to_usage_minute(
  place tid, of_tenant text, of_minute timestamptz, of_key text, of_user text, of_team text, of_provider text, of_model text,
  more_requests bigint, more_input_tokens bigint, more_output_tokens bigint, more_nanos bigint,
  more_blocked bigint, more_rate_limited bigint, more_errors bigint, more_latency_ms bigint, more_buckets integer[]
) returns tid language plpgsql as $$
declare
  moved tid;
begin
  update usage_minutes u set requests = u.requests + more_requests, input_tokens = u.input_tokens + more_input_tokens,
      output_tokens = u.output_tokens + more_output_tokens, cost_nanos = u.cost_nanos + more_nanos,
      blocked = u.blocked + more_blocked, rate_limited = u.rate_limited + more_rate_limited, errors = u.errors + more_errors,
      latency_ms = u.latency_ms + more_latency_ms, latency_buckets = add_buckets(u.latency_buckets, more_buckets)
    where u.ctid = place and u.tenant_id = of_tenant and u.minute = of_minute and u.key_id = of_key and u.user_id = of_user
      and u.team_id = of_team and u.provider = of_provider and u.model = of_model
    returning u.ctid into moved;
  if found then
    return moved;
  end if;
  insert into usage_minutes as u (tenant_id, minute, key_id, user_id, team_id, provider, model, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values (of_tenant, of_minute, of_key, of_user, of_team, of_provider, of_model, more_requests,
      more_input_tokens, more_output_tokens, more_nanos, more_blocked, more_rate_limited, more_errors, more_latency_ms, more_buckets)
    on conflict (tenant_id, minute, key_id, user_id, team_id, provider, model) do update set
      requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, cost_nanos = u.cost_nanos + excluded.cost_nanos,
      blocked = u.blocked + excluded.blocked, rate_limited = u.rate_limited + excluded.rate_limited,
      errors = u.errors + excluded.errors, latency_ms = u.latency_ms + excluded.latency_ms,
      latency_buckets = add_buckets(u.latency_buckets, excluded.latency_buckets);
  return null;
end $$;

-- What it answers is the same. As a query that unnests both and sorts, it took a tenth of the time of a group of calls.
create or replace function add_buckets(a integer[], b integer[]) returns integer[] language plpgsql immutable parallel safe as $$
begin
  for i in 1 .. coalesce(cardinality(b), 0) loop
    if b[i] <> 0 or a[i] is null then
      a[i] := coalesce(a[i], 0) + coalesce(b[i], 0);
    end if;
  end loop;
  return a;
end $$;
