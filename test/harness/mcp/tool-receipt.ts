import { createProjections } from '../../../packages/service/src/main/record/projections.js'
import {
  createPriceEntries,
  type Ledger,
  loadOrCreateSigningKey,
  noMarks,
  openLedger,
  type PriceEntries,
  toolCallFields,
} from '../../../packages/service/src/record/index.js'
import { newReceipt, type TestReceipt } from '../record/receipt.js'

/** A receipt of a tool call, as the tool gateway writes it, with what the test says of it. */
export function newToolReceipt(
  tenantId: string,
  { server = 'files', tool = 'read', method = 'tools/call', ...draft }: Partial<TestReceipt['draft']> = {},
): TestReceipt {
  const { draft: base, ...receipt } = newReceipt(tenantId)
  return {
    ...receipt,
    draft: {
      ...{ id: base.id, ts: base.ts, key: 'key_1', latencyMs: 20, status: 200, outcome: 'ok' },
      ...toolCallFields({ server, tool, method }),
      costNanos: 2_000_000,
      counts: { tools: { tool_call: 1 } },
      usage: 'counted',
      ...draft,
    },
  }
}

/** Writes receipts into the record of a service as another replica would, with all that follows from them. */
export async function recordCalls(
  service: { database: { url: string }; dataDir: string },
  write: (ledger: Ledger, prices: PriceEntries) => Promise<void>,
): Promise<void> {
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined }
  const ledger = await openLedger({
    databaseUrl: service.database.url,
    dataDir: service.dataDir,
    signingKey: await loadOrCreateSigningKey({ dataDir: service.dataDir, configured: null }),
    marks: noMarks,
    projections: createProjections([]),
    log,
  })
  try {
    await write(ledger, createPriceEntries({ ledger, now: () => new Date() }))
  } finally {
    await ledger.close()
  }
}
