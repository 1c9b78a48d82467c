import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { noMarks } from '../../../packages/service/src/record/index.js'
import { publishSigningKey } from '../../../packages/service/src/record/keys/published-keys.js'
import { loadOrCreateSigningKey } from '../../../packages/service/src/record/keys/signing-key.js'
import {
  type Ledger,
  type LedgerOptions,
  openLedger,
} from '../../../packages/service/src/record/write/writer.js'
import { projectUsage } from '../../../packages/service/src/reporting/usage/index.js'
import { createTenant } from '../../../packages/service/src/resources/tenants/index.js'
import { createTestDatabase, type TestDatabase } from '../service/database.js'

export { newReceipt, type TestReceipt } from './receipt.js'

/** A database with tenants, and ledgers on it: as many replicas as a test wants. */
export interface LedgerBench {
  database: TestDatabase
  tenantIds: string[]
  dataDir: string
  open(options?: Partial<LedgerOptions>): Promise<Ledger>
  countReceipts(): Promise<number>
  close(): Promise<void>
}

export async function createLedgerBench({ tenants = 1 } = {}): Promise<LedgerBench> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-ledger-'))
  const signingKey = await loadOrCreateSigningKey({ dataDir, configured: null })
  const { db, close } = openDatabase(database.url, () => undefined)
  await publishSigningKey(db, signingKey.publicKey)
  const tenantIds: string[] = []
  for (let i = 0; i < tenants; i++) tenantIds.push((await createTenant(db, `tenant-${i}`)).id)
  await close()
  const opened: Ledger[] = []
  return {
    database,
    tenantIds,
    dataDir,
    async open(options) {
      const ledger = await openLedger({
        databaseUrl: database.url,
        dataDir,
        signingKey,
        marks: noMarks,
        projections: [projectUsage],
        log: silentLog,
        // A machine that stands still for a while is no outage: tests that are about one say so.
        answerTimeoutMs: 120_000,
        ...options,
      })
      opened.push(ledger)
      return ledger
    },
    countReceipts: async () => (await database.query('select 1 from receipts')).length,
    async close() {
      await Promise.all(opened.map((ledger) => ledger.close()))
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const silentLog = { debug: () => undefined, warn: () => undefined, error: () => undefined }
