import type { NumberedReceipt, Projection, ReceiptDraft } from '../../ledger/index.js'
import { ownerOf } from './owner.js'

interface Row {
  receipt: NumberedReceipt
  providerId: string
  hash: string
  isAnswer: boolean
}

/** To whom providers issued ids with their answers, in the transaction of the receipts. */
export const projectReferences: Projection = (receipts) => {
  const rows = receipts.flatMap(rowsOf)
  if (rows.length === 0) return []
  const column = <T>(read: (row: Row) => T) => rows.map(read)
  return [
    {
      name: 'keep_references',
      // A server of one's own may issue an id twice: then the larger answer counts, and for no model if two have written it.
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

/** Null where it is not known: an estimate of ours may be too little. Images that were drawn have a fee and no tokens, and are read again as images. */
function tokensOf({ usage, counts, inputTokens = 0, outputTokens = 0 }: ReceiptDraft): number | null {
  const hasImages = Object.keys(counts?.tools ?? {}).some((tool) => tool.startsWith('image_generation'))
  return usage === 'counted' || hasImages ? null : inputTokens + outputTokens
}
