import { CompactRange } from '../../src/ledger/format/tree.js'
import { RecordVerifier } from '../../src/ledger/verify/record-verifier.js'
import type { TestDatabase } from './database.js'

/** Re-reads a tenant's whole record from the database and checks it as a stranger would. */
export async function verifyRecord(database: TestDatabase, tenantId?: string) {
  const [tenant] = await database.query<{ id: string }>(
    'select id from tenants where $1::text is null or id = $1 order by id limit 1',
    [tenantId ?? null],
  )
  const id = tenant?.id ?? ''
  const keys = await database.query<{ public_key: Buffer }>('select public_key from signing_keys')
  const entries = await database.query<{ seq: string; canonical: string }>(
    'select seq, canonical from receipts where tenant_id = $1 order by seq',
    [id],
  )
  const seals = await database.query<{ size: string; note: string }>(
    'select size, note from seals where tenant_id = $1 order by size',
    [id],
  )
  const [closing] = await database.query<{ size: string; prev: Buffer; frontier: Buffer }>(
    'select size, prev, frontier from record_closings where tenant_id = $1 order by size desc limit 1',
    [id],
  )
  const verifier = new RecordVerifier({
    tenant: id,
    ...(closing && {
      start: { prev: closing.prev, range: CompactRange.fromBuffer(Number(closing.size), closing.frontier) },
    }),
    keys: keys.map(({ public_key }) => ({ kty: 'OKP', crv: 'Ed25519', x: public_key.toString('base64url') })),
  })
  const rest = seals.filter(({ size }) => Number(size) > Number(closing?.size ?? 0))
  const addSealsBefore = (seq: number) => {
    while (rest[0] && Number(rest[0].size) < seq) {
      const { size, note } = rest.shift() ?? rest[0]
      verifier.addSeal({ size: Number(size), note })
    }
  }
  for (const { seq, canonical } of entries) {
    addSealsBefore(Number(seq))
    verifier.addEntry({ seq: Number(seq), canonical })
  }
  addSealsBefore(Number.POSITIVE_INFINITY)
  const report = verifier.finish()
  const readable = report.fault === null ? entries.map(({ canonical }) => JSON.parse(canonical)) : []
  return { ...report, entries: readable, receipts: readable.filter(({ kind }) => kind === 'model') }
}
