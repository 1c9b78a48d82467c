import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import type { Projection, ReceiptDraft } from '../../ledger/index.js'

/** How many tokens each answer has that its provider may keep: in the receipts' own transaction. */
export const projectHeldAnswers: Projection = (receipts) => {
  const kept = receipts.filter(({ draft }) => draft.upstreamId !== undefined && isFullyCounted(draft))
  if (kept.length === 0) return []
  return [
    {
      name: 'keep_answers',
      text: `insert into held_answers as h (tenant_id, answer_id, tokens, model)
        select tenant_id, answer_id, max(tokens), case when min(model) = max(model) then min(model) else '' end
        from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as a (tenant_id, answer_id, tokens, model)
        group by 1, 2 order by 1, 2
        on conflict (tenant_id, answer_id) do update set tokens = greatest(h.tokens, excluded.tokens),
          model = case when h.model = excluded.model then h.model else '' end`,
      values: [
        kept.map(({ tenantId }) => tenantId),
        kept.map(({ draft }) => draft.upstreamId),
        kept.map(({ draft }) => (draft.inputTokens ?? 0) + (draft.outputTokens ?? 0)),
        kept.map(({ draft }) => draft.model ?? ''),
      ],
    },
  ]
}

/** An estimate of ours may be too little. Images that were drawn have a fee and no tokens, and are read again as images. */
const isFullyCounted = ({ usage, counts }: ReceiptDraft): boolean =>
  usage !== 'counted' && !Object.keys(counts?.tools ?? {}).some((tool) => tool.startsWith('image_generation'))

/** What the record knows of answers that providers keep. */
export interface HeldAnswers {
  /**
   * How many tokens are in an answer and all that it followed; null when it is not known. `models` are the names of the model
   * that reads it: what another one counted says nothing.
   */
  tokensOf(tenantId: string, answerId: string, models: readonly string[]): Promise<number | null>
}

export const createHeldAnswers = (db: Db): HeldAnswers => ({
  async tokensOf(tenantId, answerId, models) {
    const { rows } = await sql<{ tokens: number }>`
      select tokens from held_answers
      where tenant_id = ${tenantId} and answer_id = ${answerId} and model = any(${models})`.execute(db)
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
