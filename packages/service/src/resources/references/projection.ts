import type { NumberedReceipt, Projection, ReceiptDraft } from '../../record/index.js'
import { ownerOf } from './owner.js'

interface Row {
  receipt: NumberedReceipt
  providerId: string
  hash: string
  isAnswer: boolean
}

/** Records who received ids from providers with their answers, in the transaction of the receipts. */
export const projectReferences: Projection = (receipts) => {
  const rows = receipts.flatMap(rowsOf)
  if (rows.length === 0) return []
  const column = <T>(read: (row: Row) => T) => rows.map(read)
  return [
    {
      name: 'keep_references',
      // A self-hosted server may issue an id twice: then the larger answer counts, and no model if they differ.
      text: `insert into issued_references as r (id_hash, provider_id, tenant_id, owner, team_id, tokens, model)
        select decode(id_hash, 'hex'), provider_id, tenant_id, owner, max(team_id), max(tokens),
          case when min(model) = max(model) then min(model) end
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
          as a (id_hash, provider_id, tenant_id, owner, team_id, tokens, model)
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (id_hash, provider_id, tenant_id, owner) do update
          set team_id = excluded.team_id, tokens = greatest(r.tokens, excluded.tokens),
            model = case when r.model = excluded.model then r.model end, created_at = now()`,
      values: [
        column(({ hash }) => hash),
        column(({ providerId }) => providerId),
        column(({ receipt }) => receipt.tenantId),
        column(({ receipt: { draft } }) => ownerOf(draft.user, draft.key ?? '')),
        column(({ receipt: { draft } }) => draft.team ?? null),
        column(({ receipt: { draft }, isAnswer }) => (isAnswer ? tokensOf(draft) : null)),
        column(({ receipt: { draft }, isAnswer }) => (isAnswer ? (draft.model ?? null) : null)),
      ],
    },
  ]
}

function rowsOf(receipt: NumberedReceipt): Row[] {
  const { issued } = receipt
  if (issued === undefined) return []
  const { providerId, answer, others } = issued
  const rows = others.map((hash): Row => ({ receipt, providerId, hash, isAnswer: false }))
  return answer === null ? rows : [{ receipt, providerId, hash: answer, isAnswer: true }, ...rows]
}

/**
 * Returns null when it is not known, because an estimate may be too low. Generated images have a fee and no tokens,
 * and are read again as images.
 */
function tokensOf({ usage, counts, inputTokens = 0, outputTokens = 0 }: ReceiptDraft): number | null {
  const hasImages = Object.keys(counts?.tools ?? {}).some((tool) => tool.startsWith('image_generation'))
  return usage === 'counted' || hasImages ? null : inputTokens + outputTokens
}
