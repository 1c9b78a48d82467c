import { sql } from 'kysely'
import {
  makePartitions,
  startPartitionMaintenance,
} from '../../packages/service/src/reporting/calls/index.js'

const dayMs = 86_400_000
export const days = 90

/** Calls of one tenant, straight into the table: 200 keys, 50 users, 8 teams, 6 models, some of each much more often than others. */
export async function fillCalls({ db, url }, calls) {
  await makePartitions(db, new Date(Date.now() - (days + 1) * dayMs), new Date())
  for (let from = 0; from < calls; from += 50_000)
    await sql`insert into calls
      select 'tenant_1', now() - ${days} * interval '1 day' + n * (${days} * interval '1 day' / ${calls}::float8), n,
        'req_' || lpad(n::text, 26, '0'), 'model', 'key_' || floor(200 * power(random(), 3))::int,
        case when n % 10 > 0 then 'user_' || floor(50 * power(random(), 2))::int end, 'team_' || (n % 8),
        (array['openai', 'anthropic', 'azure'])[1 + n % 3],
        (array['gpt-4o', 'gpt-4o-mini', 'claude-sonnet', 'claude-haiku', 'o3', 'mistral'])[1 + floor(6 * power(random(), 2))::int],
        'gpt-4o', 'gpt-4o-2024-08-06', n % 2 = 0, 200,
        case when n % 997 = 0 then 'interrupted' when n % 101 = 0 then 'blocked' when n % 53 = 0 then 'upstream_error' else 'ok' end,
        100, 50, 0, (random() * random() * random() * 1e8)::bigint, 'provider', 1000, 100,
        case when n % 3 = 0 then 'session-' || n / 500 end,
        case when n % 2 = 0 then jsonb_build_object('project', 'p' || floor(100 * power(random(), 3))::int, 'env', 'prod') end,
        case when n % 101 = 0 then array['pol_' || n % 5] end
      from generate_series(${from + 1}::int, ${Math.min(from + 50_000, calls)}::int) n`.execute(db)
  const upkeep = startPartitionMaintenance({
    db,
    databaseUrl: url,
    retentionDays: 400,
    now: () => new Date(),
    onError: console.error,
  })
  for (;;) {
    const { rows } = await sql`
      select from calls_partitions where not indexed and until < now() - interval '1 hour'`.execute(db)
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  await upkeep.close()
  await sql`vacuum analyze calls`.execute(db)
}
