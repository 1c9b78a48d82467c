import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToolReceipt } from '../../../../../../test/harness/mcp/tool-receipt.js'
import {
  createLedgerBench,
  type LedgerBench,
  newReceipt,
} from '../../../../../../test/harness/record/ledger.js'
import { type Database, openDatabase } from '../../../db/index.js'
import { createMemoryAdmission } from '../../../limits/index.js'
import { closeCalls, createOpenCalls } from '../../../record/index.js'
import { projectCalls } from '../../../reporting/calls/index.js'
import { rateWindows } from './rate-windows.js'
import { createUsageLoader } from './usage-loader.js'

const { windowMs, requestsOf, tokensOf, serverRequestsOf } = rateWindows
const limit = 100
const log = { debug: () => undefined, warn: () => undefined, error: () => undefined }

let bench: LedgerBench
let opened: Database
// Stands still: what is counted does not leave its minute while the test runs.
const startedMs = Date.now()
const clock = { now: () => startedMs, epochOffsetMs: () => 0 }

beforeAll(async () => {
  bench = await createLedgerBench({ tenants: 2 })
  opened = openDatabase(bench.database.url, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await bench.close()
})

/** What is left in each window, for a store that knows nothing but what the database says. */
async function remaining(tenantId: string, ids: readonly string[]): Promise<number[]> {
  const admission = createMemoryAdmission(
    createUsageLoader(opened.db, async () => []),
    clock,
  )
  const decision = await admission.admit({
    tenantId,
    attemptId: 'req_asking',
    claims: ids.map((id) => ({
      id,
      unit: id.endsWith('/tpm') ? ('tokens' as const) : ('requests' as const),
      limit,
      amount: 0,
      windowMs,
    })),
    spend: null,
  })
  return decision.limitStatuses.map((status) => limit - status.remaining)
}

const windows = [
  requestsOf('key_1'),
  tokensOf('key_1'),
  serverRequestsOf('files'),
  serverRequestsOf('search'),
  requestsOf('key_2'),
]

test('tool calls that ended or are under way count in the windows of their key and of their server', async () => {
  const [tenantId = '', other = ''] = bench.tenantIds
  const ledger = await bench.open({ projections: [closeCalls, projectCalls] })
  const failed = [{ name: 'budget', applicable: true, result: 'fail' as const, action: 'block' }]
  await Promise.all(
    [
      newReceipt(tenantId),
      newToolReceipt(tenantId),
      newToolReceipt(tenantId, { tool: 'write', toolError: true }),
      newToolReceipt(tenantId, { key: 'key_2', outcome: 'upstream_error', rpcCode: -32603 }),
      newToolReceipt(tenantId, { server: 'search', outcome: 'blocked' }),
      // Never admitted, or of another time or tenant.
      newToolReceipt(tenantId, { outcome: 'blocked', checks: failed }),
      newToolReceipt(tenantId, { ts: new Date(Date.now() - 10 * windowMs).toISOString() }),
      newToolReceipt(other),
    ].map((receipt) => ledger.append(receipt)),
  )
  expect(await remaining(tenantId, windows)).toEqual([4, 8, 3, 1, 1])

  const openCalls = await createOpenCalls({ databaseUrl: bench.database.url, processId: 'p', log })
  try {
    const receipt = newToolReceipt(tenantId, { outcome: 'interrupted' })
    expect(await openCalls.open({ receipt, generation: null, limitsVersion: 0 })).toBe(true)
    expect(await remaining(tenantId, windows)).toEqual([5, 8, 4, 1, 1])
    // Its receipt takes its place.
    await ledger.append(receipt)
    expect(await remaining(tenantId, windows)).toEqual([5, 8, 4, 1, 1])
  } finally {
    await openCalls.close()
  }
})
