import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { createEndpoint } from '../../resources/webhooks/index.js'
import type { Secrets } from '../../secrets/index.js'
import { endpoints } from '../company/prompts-and-requests.js'

interface Blocked {
  ts: Date
  data: string
}

interface Attempt {
  afterMs: number
  durationMs: number
  statusCode: number | null
  error: string | null
}

const arrived = (durationMs: number): Attempt => ({ afterMs: 400, durationMs, statusCode: 200, error: null })
const failed = (afterMs: number): Attempt => ({
  afterMs,
  durationMs: 120,
  statusCode: 503,
  error: 'The receiver answered 503',
})
const unreachable = (afterMs: number): Attempt => ({
  afterMs,
  durationMs: 10_000,
  statusCode: null,
  error: 'No answer within 10 seconds',
})

/** The outcome of the nth delivery, by endpoint. A delivery without attempts waits, as at an endpoint that is disabled. */
const courses: readonly ((n: number) => Attempt[])[] = [
  (n) => (n % 5 === 2 ? [failed(300), failed(5_400), arrived(190)] : [arrived(90 + 17 * n)]),
  (n) => [arrived(140 + 11 * n)],
  (n) =>
    n < 6 ? [arrived(60)] : [unreachable(300), unreachable(15_000), failed(35_000), unreachable(75_000)],
  () => [],
]

/** Creates endpoints and rows of deliveries. Nothing is ever sent: hosts below `.invalid` do not exist. */
export async function fillWebhooks(
  { db, secrets }: { db: Db; secrets: Secrets },
  tenantId: string,
): Promise<void> {
  const { rows } = await sql<Blocked>`
    select ts, json_build_object(
      'message', format('Policy "%s" (%s) blocked a call to the %s %s', p.name, p.kind, c.kind, c.model),
      'virtual_key_id', c.key_id, 'user_id', c.user_id, 'policy_id', p.id, 'policy_name', p.name,
      'check', p.kind, 'model', c.model, 'receipt_seq', c.seq)::text as data
    from calls c join policies p on p.tenant_id = c.tenant_id and p.id = c.policy_ids[1]
    where c.tenant_id = ${tenantId} and c.outcome = 'blocked' order by c.ts desc limit 12`.execute(db)
  const blocked = rows.reverse()
  for (const [place, { name, url, type, enabled, maxAttempts }] of endpoints.entries()) {
    const created = await createEndpoint({ db, secrets }, operatorOf(tenantId), {
      name,
      url,
      type,
      enabled,
      maxAttempts,
      events: ['policy.violation', 'webhook.test'],
    })
    for (const [n, violation] of blocked.entries())
      await insertDelivery(db, { tenantId, endpointId: created.id }, violation, courses[place]?.(n) ?? [])
  }
}

async function insertDelivery(
  db: Db,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
  { ts, data }: Blocked,
  attempts: readonly Attempt[],
): Promise<void> {
  const last = attempts.at(-1)
  const status = last === undefined ? 'pending' : last.error === null ? 'delivered' : 'dead'
  const at = (ms: number) => new Date(ts.getTime() + ms)
  await sql`
    with made as (
      insert into webhook_deliveries (endpoint_id, tenant_id, event, data, created_at, status, attempts, due_at, attempted_at, status_code, error)
      values (${endpointId}, ${tenantId}, 'policy.violation', ${data}, ${ts}, ${status}, ${attempts.length}, ${at(0)},
        ${last === undefined ? null : at(last.afterMs)}, ${last?.statusCode ?? null}, ${last?.error ?? null})
      returning endpoint_id, id)
    insert into webhook_attempts (endpoint_id, delivery_id, at, duration_ms, status_code, error)
    select made.endpoint_id, made.id, a.at, a.duration_ms, a.status_code, a.error
    from made, unnest(
      ${attempts.map(({ afterMs }) => at(afterMs).toISOString())}::timestamptz[],
      ${attempts.map(({ durationMs }) => durationMs)}::integer[],
      ${attempts.map(({ statusCode }) => statusCode)}::integer[],
      ${attempts.map(({ error }) => error)}::text[]) with ordinality as a (at, duration_ms, status_code, error, place)
    order by a.place`.execute(db)
}
