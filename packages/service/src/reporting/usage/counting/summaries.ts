import { sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { figureColumns } from './totals.js'

// Sums of closed days with the dimensions that most reports need. At a million calls in 90 days of 500 keys, a day has
// 2,600 combinations of all dimensions, but only 22 of provider, model and outcome.

const dayMs = 86_400_000

const dimensions = {
  model: ['provider', 'model', 'outcome'],
  owner: ['key_id', 'user_id', 'team_id'],
  team: ['team_id', 'provider', 'model'],
} as const

export type Summary = keyof typeof dimensions

const summaries = ['model', 'owner', 'team'] as const satisfies readonly Summary[]

/** Returns the smallest summary with these columns; null if only the rollup with all dimensions has them. */
export const findSummary = (columns: ReadonlySet<string>): Summary | null =>
  summaries.find((summary) => {
    const known: readonly string[] = dimensions[summary]
    return [...columns].every((column) => known.includes(column))
  }) ?? null

/** Only the smallest summary is worth keeping by the hour: the others have nearly as many rows as the hours themselves. */
export const hasHours = (summary: Summary | null): boolean => summary === 'model'

/** Writes the summaries of a day from its hours and its sums, in place of those that it had. */
export async function summariseDay(tx: Tx, tenantId: string, day: Date): Promise<void> {
  const ofDay = (column: string) => {
    const at = sql.ref(column)
    return sql`tenant_id = ${tenantId} and ${at} >= ${day} and ${at} < ${new Date(day.getTime() + dayMs)}`
  }
  const sums = sql.raw(figureColumns.map((column) => `sum(${column})`).join(', '))
  const insert = (detail: string, summary: Summary, table: string, column: string) => {
    const kept = sql.raw(dimensions[summary].join(', '))
    return sql`insert into usage_summaries (tenant_id, detail, start, ${kept}, ${sql.raw(figureColumns.join(', '))})
      select tenant_id, ${detail}, ${sql.ref(column)}, ${kept}, ${sums} from ${sql.table(table)}
      where ${ofDay(column)} group by tenant_id, ${sql.ref(column)}, ${kept}`.execute(tx)
  }
  await sql`delete from usage_summaries where detail in ('model_days', 'model_hours', 'owner_days', 'team_days')
    and ${ofDay('start')}`.execute(tx)
  for (const summary of summaries) await insert(`${summary}_days`, summary, 'usage_days', 'day')
  await insert('model_hours', 'model', 'folded_usage_hours', 'hour')
}
