import { sql } from 'kysely'
import {
  makePartitions,
  startPartitionMaintenance,
} from '../../packages/service/src/reporting/calls/index.js'
import { hourColumns } from '../../packages/service/src/reporting/usage/counting/totals.js'
import { closeDays } from '../../packages/service/src/reporting/usage/index.js'

const days = 90
const dayMs = 86_400_000
const batch = 50_000

/** How much of each kind the tenant has. */
const counts = { teams: 40, members: 10_000, keys: 500, prompts: 300, budgets: 100, policies: 20 }

/**
 * A large tenant: the calls of ninety days, what was counted of them, and the people, keys and so on that the lists show.
 * @param {{ db: import('../../packages/service/src/db/index.js').Db, url: string, tenantId: string, calls: number }} options
 */
export async function fillTenant({ db, url, tenantId, calls }) {
  await fillLists(db, tenantId)
  await makePartitions(db, new Date(Date.now() - (days + 1) * dayMs), new Date())
  for (let from = 0; from < calls; from += batch)
    await insertCalls(db, tenantId, { from, to: Math.min(from + batch, calls), calls })
  await countCalls(db, tenantId)
  await closeDays(db, new Date())
  await indexCalls(db, url)
  for (const table of [
    'folded_usage_hours',
    'folded_usage_minutes',
    'usage_days',
    'usage_summaries',
    'calls',
    'members',
    'keys',
    'names',
  ])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}

async function fillLists(db, tenantId) {
  const each = (count) => sql`generate_series(0, ${sql.lit(count - 1)}) as n`
  await sql`insert into teams (id, tenant_id, name, budget_pool_nanos)
    select 'team_' || n, ${tenantId}, 'Team ' || n, 1e12 from ${each(counts.teams)}`.execute(db)
  await sql`insert into members (tenant_id, user_id, name, email, team_id, created_at)
    select ${tenantId}, 'user_' || n, 'Person ' || n, 'person' || n || '@example.com', 'team_' || n % ${sql.lit(counts.teams)},
      now() - n * interval '1 minute' from ${each(counts.members)}`.execute(db)
  await sql`insert into keys (id, tenant_id, name, user_id, team_id, hash, hint, created_by)
    select 'key_' || lpad(n::text, 26, '0'), ${tenantId}, 'Key ' || n, 'user_' || n, 'team_' || n % ${sql.lit(counts.teams)},
      sha256(n::text::bytea), 'abcd', 'bench' from ${each(counts.keys)}`.execute(db)
  await sql`insert into prompts (id, tenant_id, name, versions)
    select 'prompt_' || lpad(n::text, 26, '0'), ${tenantId}, 'prompt-' || n, 1 from ${each(counts.prompts)}`.execute(
    db,
  )
  await sql`insert into prompt_versions (id, tenant_id, prompt_id, version, content)
    select 'ver_' || lpad(n::text, 26, '0'), ${tenantId}, 'prompt_' || lpad(n::text, 26, '0'), 1, repeat('Be brief. ', 200)
    from ${each(counts.prompts)}`.execute(db)
  await sql`insert into prompt_labels (tenant_id, prompt_id, label, version_id)
    select ${tenantId}, 'prompt_' || lpad(n::text, 26, '0'), 'production', 'ver_' || lpad(n::text, 26, '0')
    from ${each(counts.prompts)}`.execute(db)
  await sql`insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period)
    select 'bud_' || lpad(n::text, 26, '0'), ${tenantId}, 'Budget ' || n, 'user', 'user_' || n, 1e12, 'monthly'
    from ${each(counts.budgets)}`.execute(db)
  await sql`insert into policies (id, tenant_id, name, kind, config, scope_type, scope_id, phase, action)
    select 'pol_' || lpad(n::text, 26, '0'), ${tenantId}, 'Policy ' || n, 'pii', '{"entities":["email"]}', 'user', 'user_' || n, 'both', 'redact'
    from ${each(counts.policies)}`.execute(db)
}

/** A key has one owner, one team and one project; some keys and models are used much more often than others. */
async function insertCalls(db, tenantId, { from, to, calls }) {
  await sql`insert into calls (tenant_id, ts, seq, request_id, kind, key_id, user_id, team_id, provider, model, asked_model, upstream,
      stream, status, outcome, input_tokens, output_tokens, cached_tokens, cost_nanos, usage_source, latency_ms, first_token_ms, session,
      agent, tags, policy_ids)
    select ${tenantId}, now() - ${days} * interval '1 day' + n * (${days} * interval '1 day' / ${calls}::float8), n,
      'req_' || lpad(n::text, 26, '0'), 'model', 'key_' || lpad(k::text, 26, '0'), 'user_' || k, 'team_' || k % ${sql.lit(counts.teams)},
      (array['openai', 'openai', 'anthropic', 'anthropic', 'openai', 'azure'])[m], 
      (array['gpt-4o', 'gpt-4o-mini', 'claude-sonnet', 'claude-haiku', 'o3', 'mistral'])[m], 'gpt-4o', 'gpt-4o-2024-08-06',
      n % 2 = 0, 200,
      case when n % 997 = 0 then 'interrupted' when n % 101 = 0 then 'blocked' when n % 53 = 0 then 'upstream_error' else 'ok' end,
      100, 50, 0, (random() * random() * 1e8)::bigint, 'provider', (exp(random() * 8))::integer, (exp(random() * 5))::integer,
      case when n % 3 = 0 then 'session-' || n / 500 end, case when n % 4 = 0 then 'claude-code' when n % 8 = 1 then 'codex' end,
      case when k % 2 = 0 then jsonb_build_object('project', 'p' || k % 20, 'env', 'prod') end,
      case when n % 101 = 0 then array['pol_' || lpad((n % ${sql.lit(counts.policies)})::text, 26, '0')] end
    from generate_series(${from + 1}::integer, ${to}::integer) as n,
      lateral (select floor(${sql.lit(counts.keys)} * power(random(), 3) + 0 * n)::integer as k,
        1 + floor(6 * power(random(), 2) + 0 * n)::integer as m) as drawn`.execute(db)
}

/** What folding would have counted of the calls. */
async function countCalls(db, tenantId) {
  const figures = sql`count(*), sum(input_tokens), sum(output_tokens), sum(cost_nanos), count(*) filter (where outcome = 'blocked'),
    0, count(*) filter (where outcome in ('upstream_error', 'interrupted', 'failed')), sum(latency_ms),
    sum(('1e' || 12 * (case when latency_ms < 1 then 0 else least(79, floor(ln(latency_ms::float8) / ln(1.25::float8)) + 1) end))::numeric)`
  for (let ago = days; ago >= 0; ago--) {
    const since = sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${sql.lit(ago)})`
    await sql`insert into folded_usage_hours (tenant_id, hour, ${sql.raw(hourColumns.columns)})
      select tenant_id, date_bin('1 hour', ts, 'epoch'), key_id, user_id, team_id, provider, model, outcome,
        tags_id(coalesce(tags, '{}')), coalesce(tags, '{}'), ${figures}
      from calls where tenant_id = ${tenantId} and ts >= ${since} and ts < ${since} + interval '1 day'
      group by tenant_id, 2, key_id, user_id, team_id, provider, model, outcome, tags`.execute(db)
  }
  await sql`insert into folded_usage_minutes (tenant_id, minute, key_id, user_id, team_id, provider, model, requests, input_tokens,
      output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    select tenant_id, date_bin('1 minute', ts, 'epoch'), key_id, user_id, team_id, provider, model, ${figures}
    from calls where tenant_id = ${tenantId} and ts >= now() - interval '2 hours'
    group by tenant_id, 2, key_id, user_id, team_id, provider, model`.execute(db)
  for (const scope of ['tenant', 'team', 'user', 'key'])
    await sql`insert into folded_spend_days (tenant_id, scope_type, scope_id, day, cost_nanos)
      select tenant_id, ${scope}, ${sql.ref(`${scope}_id`)}, (ts at time zone 'UTC')::date, sum(cost_nanos)
      from calls where tenant_id = ${tenantId} group by 1, 3, 4`.execute(db)
}

/** Indexes the weeks that are over, as the service does. */
async function indexCalls(db, url) {
  const onError = (error) => console.error(error.message)
  const upkeep = startPartitionMaintenance({
    db,
    databaseUrl: url,
    retentionDays: 400,
    now: () => new Date(),
    onError,
  })
  for (;;) {
    const { rows } = await sql`
      select from calls_partitions where not indexed and until < now() - interval '1 hour'`.execute(db)
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await upkeep.close()
}
