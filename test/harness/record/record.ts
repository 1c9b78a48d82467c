import { CompactRange } from '../../../packages/record/src/format/merkle/tree.js'
import { RecordVerifier } from '../../../packages/record/src/verify/record-verifier.js'
import type { TestDatabase } from '../service/database.js'

interface StoredRecord {
  keys: string[]
  entries: { seq: number; canonical: string }[]
  seals: { size: number; note: string }[]
  closing: { size: number; prev: string; frontier: string } | null
}

/** Re-reads a tenant's whole record from the database and checks it as a stranger would. */
export async function verifyRecord(database: TestDatabase, tenantId?: string) {
  const [tenant] = await database.query<{ id: string }>(
    'select id from tenants where $1::text is null or id = $1 order by id limit 1',
    [tenantId ?? null],
  )
  const id = tenant?.id ?? ''
  // In one statement, which sees one moment: what a process that was killed had sent last may be committed at any time.
  const [record] = await database.query<StoredRecord>(
    `select
       (select coalesce(json_agg(encode(public_key, 'hex')), '[]') from signing_keys) as keys,
       (select coalesce(json_agg(json_build_object('seq', seq, 'canonical', canonical) order by seq), '[]')
        from receipts where tenant_id = $1) as entries,
       (select coalesce(json_agg(json_build_object('size', size, 'note', note) order by size), '[]')
        from seals where tenant_id = $1) as seals,
       (select json_build_object('size', size, 'prev', encode(prev, 'hex'), 'frontier', encode(frontier, 'hex'))
        from record_closings where tenant_id = $1 order by size desc limit 1) as closing`,
    [id],
  )
  const { keys = [], entries = [], seals = [], closing = null } = record ?? {}
  const verifier = new RecordVerifier({
    tenant: id,
    ...(closing && {
      start: {
        prev: Buffer.from(closing.prev, 'hex'),
        range: CompactRange.fromBuffer(closing.size, Buffer.from(closing.frontier, 'hex')),
      },
    }),
    keys: keys.map((key) => ({
      ...{ kty: 'OKP', crv: 'Ed25519' },
      x: Buffer.from(key, 'hex').toString('base64url'),
    })),
  })
  const rest = seals.filter(({ size }) => size > (closing?.size ?? 0))
  const addSealsBefore = (seq: number) => {
    while (rest[0] && rest[0].size < seq) verifier.addSeal(rest.shift() ?? rest[0])
  }
  for (const { seq, canonical } of entries) {
    addSealsBefore(seq)
    verifier.addEntry({ seq, canonical })
  }
  addSealsBefore(Number.POSITIVE_INFINITY)
  const report = verifier.finish()
  const readable = report.fault === null ? entries.map(({ canonical }) => JSON.parse(canonical)) : []
  return { ...report, entries: readable, receipts: readable.filter(({ kind }) => kind === 'model') }
}
