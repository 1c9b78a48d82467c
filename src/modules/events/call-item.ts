import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import type { RecordedEntry } from '../../ledger/index.js'

export const Call = Type.Object(
  { requestId: Type.String(), seq: Type.Integer() },
  { title: 'StreamCall', additionalProperties: true },
)

export async function presentEntries(
  _db: Db,
  _tenantId: string,
  entries: readonly RecordedEntry[],
): Promise<Map<number, object>> {
  const calls = entries.filter(({ draft }) => draft.kind !== 'control')
  return new Map(
    calls.map(({ seq, draft }) => [
      seq,
      {
        requestId: draft.id,
        seq,
        ts: draft.ts,
        keyId: draft.key ?? null,
        userId: draft.user ?? null,
        outcome: draft.outcome ?? null,
        costUsd: toUsd(draft.costNanos ?? 0),
      },
    ]),
  )
}
