import { newId } from '../../packages/service/src/db/index.js'
import { createProjections } from '../../packages/service/src/main/record/projections.js'
import { noMarks, openLedger } from '../../packages/service/src/record/index.js'
import { createTenant } from '../../packages/service/src/resources/tenants/index.js'

// So many calls end at the same time that groups are as large as the writer lets them be.
const manyCallers = 1_024
const warmUpMs = 1_000

const log = { debug: () => undefined, warn: console.error, error: console.error }
const hex = 'c0ffee00'.repeat(8)
const checks = ['rate_limit', 'budget', 'model_allowlist', 'user_status'].map((name) => ({
  name,
  applicable: true,
  result: /** @type {const} */ ('pass'),
}))

/**
 * As the gateway writes them: about a kilobyte, with all projections of the service.
 * @param {string} tenantId @param {number} caller @returns {import('../../packages/service/src/record/index.js').NewReceipt}
 */
function makeReceipt(tenantId, caller) {
  return {
    tenantId,
    commitmentKey: Buffer.alloc(32, caller),
    draft: {
      id: newId('req'),
      ts: new Date().toISOString(),
      kind: 'model',
      key: `key_${caller % 20}`,
      user: `user_${caller % 20}`,
      provider: 'openai',
      model: 'gpt-4o-mini',
      upstream: 'gpt-4o-mini-2024-07-18',
      inputTokens: 100,
      outputTokens: 50,
      cachedTokens: 0,
      costNanos: 45,
      latencyMs: 120,
      firstTokenMs: 40,
      stream: true,
      status: 200,
      outcome: 'ok',
      request: hex,
      response: hex,
      policies: hex,
      checks,
    },
  }
}

/**
 * A closed loop: every caller appends its next receipt when the last one is durable. `beginTimes` is called when it is warm, and
 * what it gives is called at the end: for what is to be measured beside the appends.
 * @template [Times=null]
 * @param {{ db: import('../../packages/service/src/db/index.js').Db, url: string, folder: string, signingKey: import('../../packages/service/src/record/index.js').SigningKey }} place
 * @param {{ tenants: number, seconds: number, seqFrom?: number, tenantIds?: readonly string[], callers?: number,
 *   projections?: readonly import('../../packages/service/src/record/index.js').Projection[], beginTimes?: () => () => Times }} options
 */
export async function measureAppends(
  place,
  {
    tenants,
    seconds,
    seqFrom = 0,
    tenantIds = [],
    projections = createProjections([]),
    callers = manyCallers,
    beginTimes,
  },
) {
  const { db, url, folder, signingKey } = place
  const ids = [...tenantIds]
  while (ids.length < tenants) ids.push((await createTenant(db, `t-${newId('tenant').slice(-20)}`)).id)
  if (seqFrom > 0) await moveHeads(db, ids, seqFrom)
  let groups = 0
  const ledger = await openLedger({
    databaseUrl: url,
    dataDir: folder,
    signingKey,
    marks: noMarks,
    log,
    projections,
    onRecorded: () => groups++,
  })
  let appended = 0
  let isOver = false
  const loops = Array.from({ length: callers }, async (_, caller) => {
    while (!isOver) {
      await ledger.append(makeReceipt(ids[(caller + appended) % ids.length], caller))
      appended++
    }
  })
  await new Promise((resolve) => setTimeout(resolve, warmUpMs))
  const endTimes = beginTimes?.()
  const before = { appended, groups, ms: performance.now() }
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  const after = { appended, groups, ms: performance.now() }
  const times = /** @type {Times} */ (endTimes?.() ?? null)
  isOver = true
  await Promise.all(loops)
  await ledger.close()
  const [head] = await db.selectFrom('record_heads').select('size').where('tenant_id', '=', ids[0]).execute()
  return {
    tenants,
    tenantIds: ids,
    perTenant: head.size,
    perSecond: ((after.appended - before.appended) / (after.ms - before.ms)) * 1_000,
    appended: after.appended - before.appended,
    times,
    groupSize: (after.appended - before.appended) / (after.groups - before.groups),
  }
}

/** A record that has come as far as the filled table: as many subtrees as it would have, with hashes of no tree. */
async function moveHeads(db, ids, size) {
  const subtrees = [...size.toString(2)].filter((bit) => bit === '1').length
  await db
    .updateTable('record_heads')
    .set({ size, frontier: Buffer.alloc(32 * subtrees, 7) })
    .where('tenant_id', 'in', ids)
    .execute()
}
