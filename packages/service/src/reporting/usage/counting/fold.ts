import { CompiledQuery, sql } from 'kysely'
import {
  type Db,
  inTransaction,
  locks,
  type Periodic,
  type Statement,
  startPeriodic,
  type Tx,
} from '../../../db/index.js'
import { maxTagSets, rareTags } from './rare-tags.js'
import { figureColumns, hourColumns, minuteColumns } from './totals.js'

// Receipts are counted by appended rows (`appendDeltas`). Folding deletes such rows and adds them to the totals in one statement, so every
// snapshot has each receipt once: in a row or in a total. Readers go through views of both, so a late or failed fold changes the
// cost of a report, not its result.

// A row costs readers less than a microsecond. Fewer rows than this are left, so that a quiet tenant is not folded
// constantly.
const minRows = 500
const maxRowsPerStep = 5_000
const busyMs = 1_000
const idleMs = 10_000

/**
 * Locks the totals of these tenants for writers. Recording a call never waits for it. Locks in the order of the
 * ids, so that two replicas cannot deadlock.
 */
export const lockForCounting = (tenantIds: readonly string[]): Statement => ({
  text: `select pg_advisory_xact_lock(${locks.usageTotals}, hash)
    from (select distinct hashtext(id) as hash from unnest($1::text[]) as id order by hash) as tenants`,
  values: [tenantIds],
})

/**
 * Runs every second while there is something to fold, otherwise less often. Every replica may run it: only one
 * folds a tenant at a time.
 */
export function startFolding({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  let wasBusy = true
  return startPeriodic({
    async run() {
      const tenantIds = await findUnfolded(db, minRows)
      wasBusy = tenantIds.length > 0
      for (const tenantId of tenantIds) await foldTenant(db, tenantId)
    },
    everyMs: () => (wasBusy ? busyMs : idleMs),
    startsAtOnce: true,
    onError,
  })
}

/** Folds every row, however few there are. */
export async function foldAll(db: Db): Promise<void> {
  for (const tenantId of await findUnfolded(db, 1)) await foldTenant(db, tenantId)
}

/** Runs in steps, so that no transaction is long when nothing was folded for a day. */
export async function foldTenant(db: Db, tenantId: string): Promise<void> {
  for (let folded = maxRowsPerStep; folded >= maxRowsPerStep; )
    folded = await inTransaction(db, async (tx) => {
      // A fold that is lost in a crash never happened: its rows are still there.
      await sql`set local synchronous_commit = off`.execute(tx)
      const { text, values } = lockForCounting([tenantId])
      await tx.executeQuery(CompiledQuery.raw(text, values))
      return await foldStep(tx, tenantId)
    })
}

/**
 * The caller must hold the lock of `lockForCounting`. Returns how many rows were folded, at most `maxRowsPerStep`.
 */
export async function foldStep(tx: Tx, tenantId: string): Promise<number> {
  const { rows } = await tx.executeQuery<{ folded: number }>(CompiledQuery.raw(foldText, [tenantId]))
  return rows[0]?.folded ?? 0
}

/** Plan: for each tenant the highest `upto`, and at most this many entries of the primary key of usage_deltas. */
async function findUnfolded(db: Db, atLeast: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from tenants t
    cross join lateral (select coalesce(max(f.upto), 0) as upto from usage_folds f where f.tenant_id = t.id) f
    where (select count(*) from (
      select from usage_deltas d where d.tenant_id = t.id and d.seq > f.upto limit ${sql.lit(atLeast)}) as waiting) = ${sql.lit(atLeast)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Counts at most `max` rows of all tenants that are not folded yet. */
export async function countUnfolded(db: Db, max: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::integer as rows from (
      select from tenants t
      cross join lateral (select coalesce(max(f.upto), 0) as upto from usage_folds f where f.tenant_id = t.id) f
      cross join lateral (select from usage_deltas d where d.tenant_id = t.id and d.seq > f.upto offset 0) d
      limit ${sql.lit(max)}) as unfolded`.execute(db)
  return rows[0]?.rows ?? 0
}

/**
 * Sums by minute and combination first, so that hours, minutes and spend are summed from few rows. Days that change
 * are reopened.
 */
const foldText = `
  with last as (select coalesce(max(upto), 0) as upto from usage_folds where tenant_id = $1),
  step as (
    select max(seq) as upto from (
      select seq from usage_deltas where tenant_id = $1 and seq > (select upto from last) order by seq limit ${maxRowsPerStep}) as rows),
  deleted as (
    delete from usage_deltas
    where tenant_id = $1 and seq > (select upto from last) and seq <= (select upto from step) returning *),
  summed as materialized (
    select minute, key_id, user_id, team_id, provider, model, outcome, session, tags, tags_id(tags) as tags_id,
      sum(requests)::bigint as requests, sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
      sum(cost_nanos)::bigint as cost_nanos, sum(blocked)::bigint as blocked, 0::bigint as rate_limited,
      sum(errors)::bigint as errors, sum(latency_ms)::bigint as latency_ms,
      sum(latency_buckets) as latency_buckets, count(*) as rows
    from deleted group by minute, key_id, user_id, team_id, provider, model, outcome, session, tags),
  by_hour as (select date_bin('1 hour', minute, 'epoch') as hour, * from summed),
  known as materialized (
    select distinct u.hour, u.tags_id from folded_usage_hours u
    where u.tenant_id = $1 and u.hour in (select hour from by_hour where tags_id <> '') and u.tags_id <> ''),
  numbered as (
    select n.*, case when is_new
      then coalesce(k.known, 0) + dense_rank() over (partition by n.hour, is_new order by tags_id) else 0 end as number
    from (select *, tags_id <> '' and (hour, tags_id) not in (select hour, tags_id from known) as is_new from by_hour) as n
    left join (select hour, count(*) as known from known group by hour) as k on k.hour = n.hour),
  bounded as (
    select hour, key_id, user_id, team_id, provider, model, outcome, ${figureColumns.join(', ')},
      case when number > ${maxTagSets} then '${rareTags}' else tags end as tags,
      case when number > ${maxTagSets} then tags_id('${rareTags}') else tags_id end as tags_id
    from numbered),
  hours as (
    insert into folded_usage_hours as u (tenant_id, hour, ${hourColumns.columns})
    select $1, hour, ${hourColumns.sums} from bounded group by hour, ${hourColumns.groups}
    on conflict (tenant_id, hour, ${hourColumns.groups}) do update set ${hourColumns.additions}),
  minutes as (
    insert into folded_usage_minutes as u (tenant_id, minute, ${minuteColumns.columns})
    select $1, minute, ${minuteColumns.sums} from summed group by 2, ${minuteColumns.groups}
    on conflict (tenant_id, minute, ${minuteColumns.groups}) do update set ${minuteColumns.additions}),
  spend as (
    insert into folded_spend_days as s (tenant_id, scope_type, scope_id, day, cost_nanos)
    select $1, scope_type, scope_id, (minute at time zone 'UTC')::date, sum(cost_nanos)
    from summed cross join lateral (
      values ('tenant', $1), ('team', team_id), ('user', user_id), ('key', key_id), ('session', session)
      union all select 'tag', key || '=' || value from jsonb_each_text(tags)) as scopes (scope_type, scope_id)
    where cost_nanos <> 0 and scope_id <> '' group by 2, 3, 4 order by 2, 3, 4
    on conflict (tenant_id, scope_type, scope_id, day) do update set cost_nanos = s.cost_nanos + excluded.cost_nanos),
  reopened as (
    delete from closed_usage_days c using (select distinct date_bin('1 day', minute, 'epoch') as day from summed) as d
    where c.tenant_id = $1 and c.day = d.day),
  marked as (insert into usage_folds (tenant_id, upto) select $1, upto from step where upto is not null),
  unmarked as (delete from usage_folds where tenant_id = $1 and (select upto from step) is not null)
  select coalesce(sum(rows), 0)::integer as folded from summed`
