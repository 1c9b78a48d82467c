import { connectPipelined } from '../../../packages/service/src/db/index.js'
import { noMarks } from '../../../packages/service/src/record/index.js'
import { loadOrCreateSigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import { commitGroup } from '../../../packages/service/src/record/write/commit.js'
import type { TestDatabase } from '../service/database.js'
import { newReceipt, type TestReceipt } from './ledger.js'

/** Writes receipts straight into a record, in groups of the given sizes: each is one commit with one seal. */
export async function fillRecord(options: {
  database: Pick<TestDatabase, 'url'>
  dataDir: string
  tenantId: string
  groups: readonly number[]
  draft?: Partial<TestReceipt['draft']>
}): Promise<void> {
  const { database, dataDir, tenantId, groups, draft } = options
  const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
  const connection = await connectPipelined(database.url, {
    answerTimeoutMs: 120_000,
    signal: new AbortController().signal,
    onLost: () => undefined,
  })
  try {
    for (const size of groups) {
      const receipts = Array.from({ length: size }, () => newReceipt(tenantId, draft))
      await commitGroup(connection, receipts, {
        signingKey,
        marks: noMarks,
        projections: [],
        mayBeRecorded: false,
      })
    }
  } finally {
    await connection.close()
  }
}
