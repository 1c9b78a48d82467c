import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import type { Projection } from '../../ledger/index.js'

/** How many tokens each answer has that its provider may keep: in the receipts' own transaction. */
export const projectHeldAnswers: Projection = (receipts) => {
  const kept = receipts.filter(({ draft }) => draft.upstreamId !== undefined)
  if (kept.length === 0) return []
  return [
    {
      name: 'keep_answers',
      text: `insert into held_answers as h (tenant_id, answer_id, tokens)
        select tenant_id, answer_id, max(tokens) from unnest($1::text[], $2::text[], $3::bigint[]) as a (tenant_id, answer_id, tokens)
        group by 1, 2 order by 1, 2
        on conflict (tenant_id, answer_id) do update set tokens = greatest(h.tokens, excluded.tokens)`,
      values: [
        kept.map(({ tenantId }) => tenantId),
        kept.map(({ draft }) => draft.upstreamId),
        kept.map(({ draft }) => (draft.inputTokens ?? 0) + (draft.outputTokens ?? 0)),
      ],
    },
  ]
}

export interface HeldAnswerReader {
  /** How many tokens are in an answer and all that it followed; null when it is not known. */
  tokensOf(tenantId: string, answerId: string): Promise<number | null>
}

export const createHeldAnswers = (db: Db): HeldAnswerReader => ({
  async tokensOf(tenantId, answerId) {
    const { rows } = await sql<{ tokens: number }>`
      select tokens from held_answers where tenant_id = ${tenantId} and answer_id = ${answerId}`.execute(db)
    return rows[0]?.tokens ?? null
  },
})

const intervalMs = 3_600_000
// Providers keep answers for 30 days.
const retentionDays = 31

export function startPruningHeldAnswers({
  db,
  onError,
}: {
  db: Db
  onError(error: unknown): void
}): Periodic {
  const run = async () => {
    await sql`delete from held_answers where created_at < now() - make_interval(days => ${retentionDays})`.execute(
      db,
    )
  }
  return startPeriodic({ run, everyMs: intervalMs, onError })
}
